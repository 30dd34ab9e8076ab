/**
 * Appends revisions to a PDF file: signatures, timestamps, and what is needed to check them later. The file's
 * bytes stay as they are; each revision follows them.
 */
import {
  PDF,
  PdfArray,
  PdfDict,
  PdfName,
  PdfNumber,
  PdfStream,
  PdfString,
  PdfRef
} from "@libpdf/core"
import { Data, DateTime, Effect } from "effect"
import { sha256 } from "./Der.ts"

/**
 * The file can't be sealed. `FORM` it can't be read, or only by repairing it; `ROOM` the signature is longer
 * than the room that is left for it.
 */
export class NotSealable extends Data.TaggedError("NotSealable")<{
  readonly reason: "FORM" | "ROOM"
  readonly detail: string
}> {}

/** Bytes that are left for a signature with its certificates and its timestamp. */
export const defaultRoom = 16_384

export interface Revision {
  readonly kind: "Sig" | "DocTimeStamp"
  /** The time that the file says; a timestamp needs none. */
  readonly at?: DateTime.Utc
  readonly reason?: string
  readonly room?: number
}

/** Opens a file to which something may be appended. */
const open = Effect.fnUntraced(function* (bytes: Uint8Array) {
  const pdf = yield* tried(() => PDF.load(bytes, { lenient: false }))
  const blocker = pdf.canSaveIncrementally()
  if (blocker !== null) return yield* new NotSealable({ reason: "FORM", detail: blocker })
  return pdf
})

const tried = <A>(load: () => Promise<A>): Effect.Effect<A, NotSealable> =>
  Effect.tryPromise({
    try: load,
    catch: (cause) => new NotSealable({ reason: "FORM", detail: `${cause}` })
  })

/** Appends a signature over everything but its own bytes, which `contents` makes of the SHA-256. */
export const appendSignature = Effect.fnUntraced(function* <E, R>(
  bytes: Uint8Array,
  { at, kind, reason, room = defaultRoom }: Revision,
  contents: (digest: Buffer) => Effect.Effect<Uint8Array, E, R>
) {
  const pdf = yield* open(bytes)
  const saved = yield* tried(async () => {
    addField(pdf, {
      Type: PdfName.of(kind),
      Filter: PdfName.of("Adobe.PPKLite"),
      SubFilter: PdfName.of(kind === "Sig" ? "ETSI.CAdES.detached" : "ETSI.RFC3161"),
      ...(at === undefined ? {} : { M: PdfString.fromString(pdfDate(at)) }),
      ...(reason === undefined ? {} : { Reason: PdfString.fromString(reason) }),
      ByteRange: new PdfArray([0, widest, widest, widest].map((one) => PdfNumber.of(one))),
      Contents: new PdfString(new Uint8Array(room), "hex")
    })
    return Buffer.from(await pdf.save({ incremental: true }))
  })
  const gap = gapOf(saved, room)
  if (gap === undefined || !saved.subarray(0, bytes.length).equals(bytes)) {
    return yield* new NotSealable({ reason: "FORM", detail: "it was not written as expected" })
  }
  saved.write(rangeText(gap.start, gap.end, saved.length - gap.end), gap.range, "latin1")
  const value = yield* contents(sha256(saved.subarray(0, gap.start), saved.subarray(gap.end)))
  if (value.length > room) {
    return yield* new NotSealable({ reason: "ROOM", detail: `${value.length} bytes of ${room}` })
  }
  saved.write(Buffer.from(value).toString("hex"), gap.start + 1, "latin1")
  return saved
})

/** Stands for a number until it is known: no number of a place is longer. */
const widest = 9_999_999_999
const placeholder = `[0 ${widest} ${widest} ${widest}]`

const rangeText = (...[start, end, rest]: [number, number, number]): string =>
  `[0 ${start} ${end} ${rest}`.padEnd(placeholder.length - 1) + "]"

/** Where the ranges are written, and from where to where the signature itself is. */
const gapOf = (saved: Buffer, room: number) => {
  const range = saved.lastIndexOf(placeholder, saved.length, "latin1")
  const zeros = `<${"0".repeat(room * 2)}>`
  const start = range === -1 ? -1 : saved.indexOf(zeros, range, "latin1")
  return start === -1 ? undefined : { range, start, end: start + zeros.length }
}

/** An invisible field on the first page, as ISO 32000-1 (section 12.7.4.5) wants it. */
const addField = (pdf: PDF, value: Record<string, PdfName | PdfString | PdfArray>): void => {
  const page = pdf.getPage(0)
  if (page === null) throw new Error("it has no pages")
  const hasForm = pdf.getCatalog().has("AcroForm")
  const form = pdf.getOrCreateForm()
  // A form without texts needs no fonts, and PDF/A wants none that is not inside.
  if (!hasForm) {
    const written = pdf.getCatalog().getDict("AcroForm", (ref) => pdf.getObject(ref))
    for (const key of ["DR", "DA", "NeedAppearances"]) written?.delete(key)
  }
  const names = new Set(form.getFieldNames())
  let number = 1
  while (names.has(`Seal${number}`)) number += 1
  const field = form.createSignatureField(`Seal${number}`).getDict()
  field.set("V", pdf.register(PdfDict.of(value)))
  field.delete("Kids")
  field.set("Type", PdfName.of("Annot"))
  field.set("Subtype", PdfName.of("Widget"))
  // It is printed, and locked: PDF/A wants the first of each annotation.
  field.set("F", PdfNumber.of(132))
  field.set("P", page.ref)
  field.set("Rect", new PdfArray([0, 0, 0, 0].map((one) => PdfNumber.of(one))))
}

/** What proves later that certificates were good: they, and what their issuers had revoked, all in DER. */
export interface ValidationMaterial {
  readonly certificates: ReadonlyArray<Uint8Array>
  readonly revocationLists: ReadonlyArray<Uint8Array>
  readonly statusResponses: ReadonlyArray<Uint8Array>
}

/** Appends a document security store with the material, beside what an earlier store has. */
export const appendMaterial = Effect.fnUntraced(function* (
  bytes: Uint8Array,
  material: ValidationMaterial
) {
  const pdf = yield* open(bytes)
  return yield* tried(async () => {
    const catalog = pdf.getCatalog()
    const known = catalog.get("DSS", (ref) => pdf.getObject(ref))
    const store = new PdfDict(known instanceof PdfDict ? known : [])
    store.set("Type", PdfName.of("DSS"))
    const lists = {
      Certs: material.certificates,
      CRLs: material.revocationLists,
      OCSPs: material.statusResponses
    }
    for (const [key, values] of Object.entries(lists)) {
      const array = store.get(key, (ref) => pdf.getObject(ref))
      const kept = array instanceof PdfArray ? [...array] : []
      const sums = new Set(kept.map((one) => sumOf(pdf, one)))
      const added = values
        .filter((value) => !sums.has(sha256(value).toString("hex")))
        .map((value) => pdf.register(new PdfStream([], value)))
      if (kept.length + added.length > 0) store.set(key, new PdfArray([...kept, ...added]))
    }
    catalog.set("DSS", pdf.register(store))
    return Buffer.from(await pdf.save({ incremental: true }))
  })
})

const sumOf = (pdf: PDF, one: unknown): string | undefined => {
  const stream = one instanceof PdfRef ? pdf.getObject(one) : null
  return stream instanceof PdfStream ? sha256(stream.getDecodedData()).toString("hex") : undefined
}

/** A time as PDF files write it, in UTC. */
const pdfDate = (at: DateTime.Utc): string =>
  `D:${DateTime.formatIso(at).replaceAll(/[-:T]|\.\d+Z$/gu, "")}Z`
