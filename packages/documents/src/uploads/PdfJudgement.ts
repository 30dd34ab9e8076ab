/**
 * What an upload that says it is a PDF (ISO 32000) may not be: encrypted, or able to do more than be shown.
 * Readers find objects by offsets that a file may give wrongly, and repair what is broken, each in its own
 * way. So every place is looked at where an object could begin, and what is in streams of objects too. A
 * file that would have its bytes looked at too often is not read at all.
 */
import { maximumPages, type RejectionReason } from "@quittance/domain/documents/Upload"
import { constants, inflateSync } from "node:zlib"
import { type Findings, type PdfObject, read } from "./PdfObject.ts"

export type PdfJudgement =
  | { readonly pages: number; readonly reason?: never }
  | { readonly reason: RejectionReason; readonly pages?: never }

/** How many times as much as a file has may be looked at, all objects together. */
const mostReadings = 4

/** Bytes of a stream of objects, once it is inflated. */
const mostInflated = 8_388_608

/** Objects that are read in one step. */
const objectsOfStep = 200

/** Bytes of a stream that tell whether it is a program, as they are packed. */
const beginning = 512

/** How programs begin: of Windows, of Linux, of macOS in its forms, and scripts. */
const programs = [
  "4d5a",
  "7f454c46",
  "feedface",
  "feedfacf",
  "cefaedfe",
  "cffaedfe",
  "cafebabe",
  "2321"
].map((hex) => Buffer.from(hex, "hex"))

/** Filters whose data are pictures, whatever else a stream says. */
const pictures = new Set(["DCTDecode", "JPXDecode", "JBIG2Decode", "CCITTFaxDecode"])

/** Judges the bytes of a PDF. It stops now and then, so that others get their turn. */
export function* judgePdf(given: Uint8Array): Generator<void, PdfJudgement> {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.length)
  if (!/^%PDF-[12]\.\d/u.test(bytes.toString("latin1", 0, 8))) return unreadable
  if (!/startxref\s+\d+\s+%%EOF/u.test(bytes.subarray(-1100).toString("latin1"))) return unreadable
  const found: Findings = {
    isEncrypted: false,
    isActive: false,
    hasFiles: false,
    hasProgram: false
  }
  const pages = yield* pagesOf(bytes, found)
  if (found.isEncrypted) return { reason: "ENCRYPTED" }
  if (found.isActive || (found.hasFiles && found.hasProgram)) return { reason: "ACTIVE_CONTENT" }
  if (pages === undefined || pages === 0) return unreadable
  return pages > maximumPages ? { reason: "TOO_MANY_PAGES" } : { pages }
}

const unreadable = { reason: "UNREADABLE" } as const

/** How many pages there are; `undefined` where not all objects can be read. */
function* pagesOf(bytes: Buffer, found: Findings): Generator<void, number | undefined> {
  /** By the numbers of their objects: a later version of an object takes the place of earlier ones. */
  const pages = new Map<number, number>()
  let left = bytes.length * mostReadings + mostInflated
  let count = 0
  for (const { at, number } of objectsOf(bytes)) {
    if (++count % objectsOfStep === 0) yield
    const object = yield* read(bytes, at, found, false)
    left -= object.end - at
    const held = object.isStream ? yield* lookInto(bytes, object, found) : none
    if (held === undefined) return undefined
    left -= held.size
    if (left < 0) return undefined
    const all = object.pages + held.pages
    if (all > 0 || pages.has(number)) pages.set(number, all)
    // More than may be sent, however they hang together.
    if (pages.size > maximumPages) break
  }
  return [...pages.values()].reduce((sum, one) => sum + one, 0)
}

/** Where objects begin, behind `7 0 obj`, and trailers, which have no number. */
function* objectsOf(bytes: Buffer): Generator<{ readonly at: number; readonly number: number }> {
  for (let at = bytes.indexOf("obj"); at !== -1; at = bytes.indexOf("obj", at + 3)) {
    const head = bytes.toString("latin1", Math.max(0, at - 40), at)
    const number = /(\d{1,10})[\0\t\n\f\r ]+\d{1,5}[\0\t\n\f\r ]+$/u.exec(head)?.[1]
    if (number !== undefined) yield { at: at + 3, number: Number(number) }
  }
  for (let at = bytes.indexOf("trailer"); at !== -1; at = bytes.indexOf("trailer", at + 7)) {
    yield { at: at + 7, number: -1 }
  }
}

interface Held {
  readonly pages: number
  readonly size: number
}

const none: Held = { pages: 0, size: 0 }

/** What is in a stream; `undefined` where it may hold objects that can't be read. */
function* lookInto(
  bytes: Buffer,
  object: PdfObject,
  found: Findings
): Generator<void, Held | undefined> {
  const data = dataOf(bytes, object.end)
  if (!object.isPacked) {
    found.hasProgram ||= mayBeProgram(data, object)
    return none
  }
  const [filter, ...others] = object.filters
  if (filter !== "FlateDecode" || others.length > 0 || object.isPredicted) return undefined
  const packed = inflated(data, { maxOutputLength: mostInflated })
  if (packed === undefined) return undefined
  const { pages } = yield* read(packed, 0, found, true)
  return { pages, size: packed.length }
}

/** The data of a stream, up to the word that ends them. */
const dataOf = (bytes: Buffer, end: number): Buffer => {
  const from = end + (bytes[end] === 13 && bytes[end + 1] === 10 ? 2 : 1)
  const to = bytes.indexOf("endstream", from)
  return bytes.subarray(from, to === -1 ? bytes.length : to)
}

const mayBeProgram = (data: Buffer, { filters: [filter, ...others] }: PdfObject): boolean => {
  if (filter === undefined) return isProgram(data)
  if (pictures.has(filter)) return false
  if (filter !== "FlateDecode" || others.length > 0) return true
  const start = inflated(data.subarray(0, beginning), {
    finishFlush: constants.Z_SYNC_FLUSH,
    maxOutputLength: mostInflated
  })
  return start === undefined || isProgram(start)
}

const isProgram = (data: Buffer): boolean =>
  programs.some((magic) => data.subarray(0, magic.length).equals(magic))

const inflated = (
  data: Buffer,
  options: { readonly maxOutputLength: number; readonly finishFlush?: number }
): Buffer | undefined => {
  try {
    return inflateSync(data, options)
  } catch {
    return undefined
  }
}
