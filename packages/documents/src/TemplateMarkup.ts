/**
 * Reads the text of a template: Markdown with emphasis, strong text and lists, and places for values.
 * Places are taken out before the Markdown is read, so that what stands in a value is never markup.
 */
import { type ValueFormat, valueFormats } from "@quittance/domain/documents/DocumentTemplate"
import { ModelPath } from "@quittance/domain/products/documents/DocumentDefinition"
import { Result, Schema } from "effect"
import type { Nodes, PhrasingContent } from "mdast"
import { fromMarkdown } from "mdast-util-from-markdown"

/** A place for a value: `{{invoice.total|money}}`. */
export interface Place {
  readonly path: string
  readonly format: ValueFormat
  /** What is written where the model has no such value; absent: that is a fault. */
  readonly otherwise?: string
}

export interface Piece {
  readonly content: string | Place
  readonly strong: boolean
  readonly emphasis: boolean
}

/** A paragraph, or a list of items that are made of the same. */
export type Flow =
  | { readonly kind: "paragraph"; readonly pieces: ReadonlyArray<Piece> }
  | {
      readonly kind: "list"
      readonly ordered: boolean
      readonly items: ReadonlyArray<ReadonlyArray<Flow>>
    }

const placePattern = /\{\{([^{}]*)\}\}/gu
const isPath = Schema.is(ModelPath)
const isFormat = Schema.is(Schema.Literals(valueFormats))

/** Stands for a place while Markdown is read; no text of a template may have it. */
const open = "\u{E000}"
const close = "\u{E001}"
const marker = /\u{E000}(\d+)\u{E001}/u

/** A text as paragraphs and lists, or what is wrong with it. */
export const flows = (text: string): Result.Result<ReadonlyArray<Flow>, ReadonlyArray<string>> => {
  const faults: Array<string> = []
  const places: Array<Place> = []
  if (text.includes(open) || text.includes(close)) {
    return Result.fail(["Leave out the characters U+E000 and U+E001."])
  }
  const marked = text.replace(placePattern, (whole, inner: string) => {
    const place = readPlace(inner)
    if (typeof place === "string") faults.push(`${place} of \`${whole}\`.`)
    else places.push(place)
    return `${open}${places.length - 1}${close}`
  })
  if (/\{\{|\}\}/u.test(marked)) faults.push("Close each place: `{{path|format}}`.")
  if (faults.length > 0) return Result.fail(faults)
  const found = readFlows(fromMarkdown(marked).children, places, faults)
  return faults.length > 0 ? Result.fail(faults) : Result.succeed(found)
}

/** A text that stands in one line, such as a cell of a table. */
export const line = (text: string): Result.Result<ReadonlyArray<Piece>, ReadonlyArray<string>> =>
  Result.flatMap(flows(text), (found) => {
    const [only, ...more] = found
    if (only === undefined) return Result.succeed([])
    return only.kind === "paragraph" && more.length === 0
      ? Result.succeed(only.pieces)
      : Result.fail(["Write one line here, without a list; escape a leading sign by `\\`."])
  })

const readPlace = (inner: string): Place | string => {
  const [path = "", format = "text", ...rest] = inner.split("|")
  if (!isPath(path)) return "Mend the path"
  if (!isFormat(format)) return `Choose a format of ${valueFormats.join(", ")} instead`
  return rest.length === 0 ? { path, format } : { path, format, otherwise: rest.join("|") }
}

const readFlows = (
  nodes: ReadonlyArray<Nodes>,
  places: ReadonlyArray<Place>,
  faults: Array<string>
): ReadonlyArray<Flow> =>
  nodes.flatMap((node): ReadonlyArray<Flow> => {
    switch (node.type) {
      case "paragraph":
        return [{ kind: "paragraph", pieces: readPieces(node.children, places, faults, plain) }]
      case "list":
        return [
          {
            kind: "list",
            ordered: node.ordered === true,
            items: node.children.map(({ children }) => readFlows(children, places, faults))
          }
        ]
      default:
        faults.push(refused(node.type))
        return []
    }
  })

interface Style {
  readonly strong: boolean
  readonly emphasis: boolean
}

const plain: Style = { strong: false, emphasis: false }

const readPieces = (
  nodes: ReadonlyArray<PhrasingContent>,
  places: ReadonlyArray<Place>,
  faults: Array<string>,
  style: Style
): ReadonlyArray<Piece> =>
  nodes.flatMap((node): ReadonlyArray<Piece> => {
    switch (node.type) {
      case "text":
        return pieces(node.value, places, style)
      case "break":
        return [{ content: "\n", ...style }]
      case "strong":
        return readPieces(node.children, places, faults, { ...style, strong: true })
      case "emphasis":
        return readPieces(node.children, places, faults, { ...style, emphasis: true })
      default:
        faults.push(refused(node.type))
        return []
    }
  })

/** A line of Markdown may go on in the next one: that is a space, as everywhere in Markdown. */
const pieces = (text: string, places: ReadonlyArray<Place>, style: Style): ReadonlyArray<Piece> =>
  text
    .replaceAll("\n", " ")
    .split(/(\u{E000}\d+\u{E001})/u)
    .filter((part) => part !== "")
    .map((part) => {
      const place = marker.exec(part)
      return { content: place === null ? part : places[Number(place[1])]!, ...style }
    })

const refused = (type: string): string =>
  `Leave out what Markdown reads as ${type}; a text has emphasis, strong text and lists.`
