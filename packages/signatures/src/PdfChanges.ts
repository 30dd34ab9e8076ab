/**
 * What a later revision changes in what a PDF file shows. Everyone can get a timestamp, so the revision
 * that one covers must add nothing but the timestamp and what proves certificates.
 */
import {
  PDF,
  PdfArray,
  PdfBool,
  PdfDict,
  PdfName,
  PdfNumber,
  PdfRef,
  PdfStream,
  PdfString
} from "@libpdf/core"
import { Effect } from "effect"

/** What may differ in the catalog. */
const addedToCatalog = new Set(["DSS", "AcroForm"])
/** What may differ in the form, beside its list of fields. */
const addedToForm = new Set(["Fields", "SigFlags"])

/** Whether a longer file shows what its beginning shows; a file that can't be read doesn't. */
export const showsTheSame = (before: Uint8Array, after: Uint8Array): Effect.Effect<boolean> =>
  Effect.tryPromise(async () => {
    const old = await PDF.load(before, { lenient: false })
    const now = await PDF.load(after, { lenient: false })
    const form = now.getCatalog().getRef("AcroForm")?.objectNumber
    const catalog = catalogNumber(after)
    if (catalog === undefined || catalog !== catalogNumber(before)) return false
    for (let number = 1; number < sizeOf(before); number += 1) {
      const [was, is] = [old, now].map((pdf) => pdf.getObject(PdfRef.of(number, 0)))
      if (number !== catalog && number !== form && !isEqual(was, is)) return false
    }
    return isEqual(old.getCatalog(), now.getCatalog(), addedToCatalog) && formsFit(old, now)
  }).pipe(Effect.orElseSucceed(() => false))

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1")

/** No object of the file has a number as high. */
const sizeOf = (bytes: Uint8Array): number =>
  Math.max(...[...latin1(bytes).matchAll(/\/Size (\d{1,8})\b/gu)].map(([, size]) => Number(size)))

const catalogNumber = (bytes: Uint8Array): number | undefined => {
  const root = [...latin1(bytes).matchAll(/\/Root (\d{1,8}) 0 R/gu)].at(-1)
  return root === undefined ? undefined : Number(root[1])
}

const formOf = (pdf: PDF) => pdf.getCatalog().getDict("AcroForm", (ref) => pdf.getObject(ref))

/** Only fields of signatures that show nothing may be added to a form. */
const formsFit = (old: PDF, now: PDF): boolean => {
  const [was, is] = [formOf(old), formOf(now)]
  if (was === undefined || is === undefined) return false
  const [fields, more] = [was, is].map((form) => [...(form.getArray("Fields") ?? [])])
  const added = more!.slice(fields!.length)
  return (
    isEqual(was, is, addedToForm) &&
    fields!.every((field, place) => isEqual(field, more![place])) &&
    added.every((field) => field instanceof PdfRef && isHidden(now.getObject(field)))
  )
}

const isHidden = (field: unknown): boolean => {
  if (!(field instanceof PdfDict) || field.has("AP") || field.has("Kids")) return false
  const sides = [...(field.getArray("Rect") ?? [])]
  return (
    field.getName("FT")?.value === "Sig" &&
    sides.length === 4 &&
    sides.every((side) => side instanceof PdfNumber && side.value === 0)
  )
}

const isEqual = (one: unknown, other: unknown, but: ReadonlySet<string> = new Set()): boolean => {
  if (one instanceof PdfDict && other instanceof PdfDict) {
    if (one instanceof PdfStream !== other instanceof PdfStream) return false
    const keys = (dict: PdfDict) => [...dict.keys()].map(({ value }) => value)
    const all = new Set([...keys(one), ...keys(other)])
    const isDataEqual =
      !(one instanceof PdfStream && other instanceof PdfStream) ||
      Buffer.from(one.data).equals(other.data)
    return (
      isDataEqual && [...all].every((key) => but.has(key) || isEqual(one.get(key), other.get(key)))
    )
  }
  if (one instanceof PdfArray && other instanceof PdfArray) {
    const [items, others] = [[...one], [...other]]
    return items.length === others.length && items.every((item, at) => isEqual(item, others[at]))
  }
  if (one instanceof PdfString && other instanceof PdfString) {
    return Buffer.from(one.bytes).equals(other.bytes)
  }
  if (one instanceof PdfRef && other instanceof PdfRef) {
    return one.objectNumber === other.objectNumber && one.generation === other.generation
  }
  for (const kind of [PdfName, PdfNumber, PdfBool]) {
    if (one instanceof kind && other instanceof kind) return one.value === other.value
  }
  return one === other
}
