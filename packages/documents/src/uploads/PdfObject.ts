/** What one object of a PDF says about itself, as far as a judgement needs it. */
import { PdfTokens } from "./PdfTokens.ts"

/** What is found anywhere in a file. */
export interface Findings {
  isEncrypted: boolean
  /** Scripts, actions that start programs, XFA forms and rich media. */
  isActive: boolean
  hasFiles: boolean
  /** Whether a stream holds a program, or can't be looked into. */
  hasProgram: boolean
}

/** An object, up to its data where it is a stream. */
export interface PdfObject {
  /** Where its data begin, or where it ends. */
  readonly end: number
  readonly isStream: boolean
  /** How many pages it is: one or none, more for a stream of objects. */
  readonly pages: number
  readonly filters: ReadonlyArray<string>
  /** Whether its data may be objects: only their stream has this key. */
  readonly isPacked: boolean
  /** Whether the data are rearranged before they are packed. */
  readonly isPredicted: boolean
}

/** Names of what runs, or has others run something. */
const activeNames = new Set(["JavaScript", "JS", "Launch", "XFA", "RichMedia"])

/** Of each stream; no real file uses more filters. */
const mostFilters = 8

/** Words that are read in one step. */
const wordsOfStep = 50_000

/** Reads an object from a place on. It stops now and then, so that others get their turn. */
export function* read(
  bytes: Uint8Array,
  start: number,
  found: Findings,
  inStream: boolean
): Generator<void, PdfObject> {
  const tokens = new PdfTokens(bytes, start)
  const filters: Array<string> = []
  let [pages, words] = [0, 0]
  let [isPacked, isPredicted, isStream] = [false, false, false]
  let [key, before] = ["", ""]
  for (let kind = tokens.next(); kind !== "END"; kind = tokens.next()) {
    if (++words % wordsOfStep === 0) yield
    const { text } = tokens
    if (kind === "WORD") {
      before = ""
      isStream = text === "stream" && !inStream
      // A trailer ends with where the table of its file is.
      if (isStream || (!inStream && ["endobj", "startxref"].includes(text))) break
      continue
    }
    note(text, found)
    if (before === "Type" && text === "Page") pages++
    if (text === "Filter") key = text
    else if (key === "Filter" && text.endsWith("Decode") && filters.length < mostFilters) {
      filters.push(text)
    }
    isPacked ||= text === "First"
    isPredicted ||= text === "Predictor"
    before = text
  }
  if (key === "Filter" && filters.length === 0) filters.push("")
  return { end: tokens.at, isStream, pages, filters, isPacked, isPredicted }
}

const note = (name: string, found: Findings): void => {
  if (name === "Encrypt") found.isEncrypted = true
  else if (name === "EF") found.hasFiles = true
  else if (activeNames.has(name)) found.isActive = true
}
