/** Where the signatures of a PDF file lie, found in its bytes and not by what the file says of its structure. */
import { Result } from "effect"
import { maxCms } from "./CmsReading.ts"
import { derLength, hash } from "./Der.ts"

export interface FoundSignature {
  /** A seal, or the timestamp of a document. */
  readonly kind: "SEAL" | "TIMESTAMP"
  /** The time that the file says, in milliseconds since 1970. */
  readonly saidAt: number | undefined
  /** The structure of CMS, without the zeros that follow. */
  readonly contents: Uint8Array
  /** Makes the digest of everything up to `end` but the signature itself. */
  digest(hashName: string): Buffer
  /** Length of the file up to the end of this signature's revision. */
  readonly end: number
}

/**
 * `NO_SIGNATURE` there is none; `MANY` there are more than a file needs, which is an attempt to keep the verifier
 * busy; `RANGE` one does not cover everything before its end but itself; `ROOM` in the room of one there is
 * something else beside it.
 */
export type PlaceFault = "NO_SIGNATURE" | "MANY" | "RANGE" | "ROOM"

/** Each proves what is before it, so each costs as much as the file is long. */
const maxSignatures = 32
/** Characters of the longest signature: so many as a structure of CMS may have bytes, twice. */
const maxContents = 2 * maxCms

const ranges = /\/ByteRange\s*\[\s*0\s+(\d{1,10})\s+(\d{1,10})\s+(\d{1,10})\s*\]/gu
const said = /\/M\s*\(D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z\)/u

/** A part of a match that is a number. */
const number = (match: RegExpExecArray, part: number): number => Number(match[part])

/** The signatures of a file in their order, each over all of the file up to its end. */
export const findSignatures = (
  pdf: Uint8Array
): Result.Result<ReadonlyArray<FoundSignature>, PlaceFault> => {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.length)
  // One byte is one character, so places in the text are those in the file.
  const text = bytes.toString("latin1")
  const found: Array<FoundSignature> = []
  let before = 0
  for (const match of text.matchAll(ranges)) {
    if (found.length === maxSignatures) return Result.fail("MANY")
    const [start, rest] = [number(match, 1), number(match, 2)]
    const end = rest + number(match, 3)
    const isWhole =
      start > match.index && match.index > before && start + 2 < rest && end <= bytes.length
    if (!isWhole || text[start] !== "<" || text[rest - 1] !== ">") return Result.fail("RANGE")
    const contents = contentsOf(text.slice(start + 1, rest - 1))
    if (contents === undefined) return Result.fail("ROOM")
    const dictionary = text.slice(text.lastIndexOf(" obj", match.index), match.index)
    found.push({
      kind: /\/Type\s*\/DocTimeStamp\b/u.test(dictionary) ? "TIMESTAMP" : "SEAL",
      saidAt: timeOf(dictionary),
      contents,
      digest: (name) => hash(name, bytes.subarray(0, start), bytes.subarray(rest, end)),
      end
    })
    before = end
  }
  return found.length === 0 ? Result.fail("NO_SIGNATURE") : Result.succeed(found)
}

/** Only as we write it, in lower case: so one text stands for one value. */
const contentsOf = (text: string): Uint8Array | undefined => {
  if (text.length > maxContents || !/^(?:[0-9a-f]{2})+$/u.test(text)) return undefined
  const bytes = Buffer.from(text, "hex")
  const length = derLength(bytes)
  return length === undefined || bytes.subarray(length).some((byte) => byte !== 0)
    ? undefined
    : bytes.subarray(0, length)
}

const timeOf = (dictionary: string): number | undefined => {
  const parts = said.exec(dictionary)
  if (parts === null) return undefined
  const [year, month, day] = [number(parts, 1), number(parts, 2), number(parts, 3)]
  return Date.UTC(year, month - 1, day, number(parts, 4), number(parts, 5), number(parts, 6))
}
