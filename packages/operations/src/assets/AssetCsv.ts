/** Assets of a fleet as CSV (RFC 4180): what each line adds, or every fault by its line and column. */
import type { CustomFieldValue } from "@quittance/domain/values/CustomField"
import { type Instant, InstantFromString } from "@quittance/domain/values/Instant"
import type { Product } from "@quittance/domain/products/Product"
import { type Field, fieldFaults } from "@quittance/domain/products/ProductFields"
import type { RequestIssue } from "@quittance/domain/requests/RequestErrors"
import { parse } from "csv-parse/sync"
import { Option, Schema } from "effect"

/** One asset of a file. */
export interface AssetLine {
  /** Where it ends in the file; the header is line 1. */
  readonly line: number
  readonly name?: string
  readonly startedAt?: Instant
  readonly customFields: Readonly<Record<string, CustomFieldValue>>
}

export interface AssetFile {
  readonly lines: ReadonlyArray<AssetLine>
  /** At most `mostIssues`, in the order of the file; the lines are only whole where there is none. */
  readonly issues: ReadonlyArray<RequestIssue>
}

export const mostLines = 10_000
export const mostIssues = 1_000

/** A fault of a cell, of a line, or of the file as a whole. */
export const csvIssue = (message: string, line?: number, column?: string): RequestIssue => ({
  in: "body",
  path: [line, column?.slice(0, longestColumn)]
    .filter((segment) => segment !== undefined)
    .map((segment) => `/${String(segment).replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join(""),
  message
})

const longestColumn = 100

/** Reads a file with a header line; the columns are separated as the header is, by `,` or `;`. */
export const readAssets = ({ fields }: Product, text: string): AssetFile => {
  const { broken, records: read } = recordsOf(text)
  const [header, ...records] = read
  const malformed = broken.map((line) => csvIssue(misquoted, line))
  const isHeaderBroken = broken.some((line) => header === undefined || line <= header.line)
  // What the cells of the other lines are meant to be it does not say.
  if (isHeaderBroken) return { lines: [], issues: malformed.slice(0, mostIssues) }
  if (header === undefined || records.length + broken.length === 0) {
    return { lines: [], issues: [csvIssue("Send a header line, and a line for each asset.")] }
  }
  if (records.length + broken.length > mostLines) {
    return { lines: [], issues: [csvIssue(`Send at most ${mostLines} assets at once.`)] }
  }
  const columns = header.cells.map((cell) => cell.trim())
  const headerIssues = headerFaults(fields.asset, columns, header.line)
  if (headerIssues.length > 0) return { lines: [], issues: headerIssues.slice(0, mostIssues) }
  const lines: Array<AssetLine> = []
  const found = broken.map((line, index) => ({ line, issue: malformed[index]! }))
  let count = 0
  for (const { cells, line } of records) {
    const { asset, issues } = lineOf(fields.asset, columns, cells, line)
    lines.push(asset)
    found.push(...issues.map((issue) => ({ line, issue })))
    count += issues.length
    if (count >= mostIssues) break
  }
  const issues = found.sort((a, b) => a.line - b.line).map(({ issue }) => issue)
  return { lines, issues: issues.slice(0, mostIssues) }
}

const misquoted = "Quote a cell as a whole, and double each quote in it (RFC 4180)."

interface CsvRecord {
  readonly line: number
  readonly cells: ReadonlyArray<string>
}

/**
 * The records of a file, and the lines of those that can't be read, in its order. After an unclosed quote the
 * start of cells is unknown: nothing more is read there.
 */
const recordsOf = (
  text: string
): { readonly records: ReadonlyArray<CsvRecord>; readonly broken: ReadonlyArray<number> } => {
  const records: Array<CsvRecord> = []
  const broken: Array<number> = []
  let isLost = false
  parse(text, {
    delimiter: delimiterOf(text),
    on_record: (cells: ReadonlyArray<string>, { lines }) => {
      if (!isLost) records.push({ line: lines, cells })
    },
    on_skip: (error) => {
      if (!isLost) broken.push(Number(error?.["lines"]))
      isLost ||= error?.code !== "INVALID_OPENING_QUOTE"
      return undefined
    },
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true
  })
  return { records, broken }
}

const delimiterOf = (text: string): string => {
  const [header = ""] = text.split(/\r?\n/u, 1)
  return header.split(";").length > header.split(",").length ? ";" : ","
}

const headerFaults = (
  fields: ReadonlyArray<Field>,
  columns: ReadonlyArray<string>,
  line: number
): Array<RequestIssue> => {
  const known = new Set(["name", "startedAt", ...fields.map(({ key }) => key)])
  const faults = columns.flatMap((column, index) => {
    if (!known.has(column)) {
      return [csvIssue("Leave it out; the product has no such field.", line, column)]
    }
    const isAgain = columns.indexOf(column) < index
    return isAgain ? [csvIssue("Send each column once.", line, column)] : []
  })
  const missing = fields
    .filter(({ key, requiredFor, showWhen }) => {
      const isNeeded = requiredFor === "QUOTE" && showWhen === undefined
      return isNeeded && !columns.includes(key)
    })
    .map(({ key }) => csvIssue("Add the column; the product needs it to quote.", line, key))
  return [...faults, ...missing]
}

const lineOf = (
  fields: ReadonlyArray<Field>,
  columns: ReadonlyArray<string>,
  cells: ReadonlyArray<string>,
  line: number
): { readonly asset: AssetLine; readonly issues: ReadonlyArray<RequestIssue> } => {
  const cell = (column: string): string | undefined => cells[columns.indexOf(column)] || undefined
  const customFields = Object.fromEntries(
    fields.flatMap((field) => {
      const text = cell(field.key)
      return text === undefined ? [] : [[field.key, valueOf(field, text)] as const]
    })
  )
  if (cells.length !== columns.length) {
    const message = `Send ${columns.length} cells, as the header has; these are ${cells.length}.`
    return { asset: { line, customFields }, issues: [csvIssue(message, line)] }
  }
  const name = cell("name")
  const start = cell("startedAt")
  const startedAt = start === undefined ? undefined : Option.getOrUndefined(decodeInstant(start))
  const isNameless = name !== undefined && (name.trim() === "" || name.length > longestName)
  return {
    asset: {
      line,
      customFields,
      ...(name === undefined ? {} : { name }),
      ...(startedAt === undefined ? {} : { startedAt })
    },
    issues: [
      ...(isNameless
        ? [csvIssue(`Send a name of 1 to ${longestName} characters.`, line, "name")]
        : []),
      ...(start !== undefined && startedAt === undefined
        ? [csvIssue("Send an instant, such as 2026-04-01T00:00:00+02:00.", line, "startedAt")]
        : []),
      ...fieldFaults(fields, { values: customFields, stage: "QUOTE" }).map(({ message, path }) =>
        csvIssue(message, line, path.slice("/customFields/".length))
      )
    ]
  }
}

const longestName = 200
const decodeInstant = Schema.decodeUnknownOption(InstantFromString)

/** A cell as its field's type; one that is none is left as it is, and is a fault of the field. */
const valueOf = ({ type }: Field, text: string): CustomFieldValue => {
  switch (type) {
    case "INTEGER":
    case "MONEY":
      return /^-?\d+$/u.test(text) ? Number(text) : text
    case "NUMBER":
      return /^-?\d+(\.\d+)?$/u.test(text) ? Number(text) : text
    case "BOOLEAN":
      return text === "true" ? true : text === "false" ? false : text
    default:
      return text
  }
}
