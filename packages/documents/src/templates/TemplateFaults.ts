/** Every fault of a template, each at its JSON pointer: so that none is left for a customer's desk. */
import {
  DocumentTemplate,
  type Each,
  ipidSections,
  maxBlocks,
  type TemplateBlock,
  type TemplateCondition
} from "@quittance/domain/documents/DocumentTemplate"
import { InvalidTemplate } from "@quittance/domain/documents/TemplateVersions"
import type { ProductFault } from "@quittance/domain/products/Product"
import { shapeFaults } from "@quittance/domain/products/ProductShapeFaults"
import { canonicalJson } from "@quittance/domain/values/CanonicalJson"
import { Result, Schema } from "effect"
import { printable, unprintable } from "../PrintableText.ts"
import { type Flow, flows, line, type Piece } from "../TemplateMarkup.ts"
import { isShown, type Names, noNames, recordOf, typeAt } from "./ModelPaths.ts"

type Faults = Generator<ProductFault, void>

/** Bytes of a template as JSON. */
export const maximumTemplate = 262_144

const decode = Schema.decodeUnknownResult(DocumentTemplate)

/** The template that a document describes, or all of its faults. */
export const read = (definition: unknown): Result.Result<DocumentTemplate, InvalidTemplate> => {
  const decoded = decode(definition, { errors: "all", onExcessProperty: "error" })
  const issues = Result.isSuccess(decoded)
    ? [...sizeFaults(definition), ...templateFaults(decoded.success)]
    : [
        ...shapeFaults(decoded.failure.issue, {
          definition,
          path: [],
          reference: "docs/documents.md"
        })
      ]
  return Result.isSuccess(decoded) && issues.length === 0
    ? Result.succeed(decoded.success)
    : Result.fail(new InvalidTemplate({ issues }))
}

function* sizeFaults(definition: unknown): Faults {
  if (Buffer.byteLength(canonicalJson(definition)) > maximumTemplate) {
    yield { pointer: "", message: "Say less; a template has at most 256 KiB." }
  }
}

function* templateFaults(template: DocumentTemplate): Faults {
  const { blocks, facts = [], footer, recipient = [], sender } = template
  const lines = (texts: ReadonlyArray<string>, at: string) =>
    texts.flatMap((text, index) => [...lineFaults(text, `${at}/${index}`, noNames)])
  yield* lineFaults(template.title, "/title", noNames)
  yield* lines(sender, "/sender")
  yield* lines(recipient, "/recipient")
  yield* rowFaults(facts, "/facts", noNames)
  yield* lineFaults(footer ?? "", "/footer", noNames)
  yield* lineFaults(template.draft, "/draft", noNames)
  for (const [label, text] of Object.entries(template.labels ?? {})) {
    yield* glyphFaults(text, `/labels/${label}`)
  }
  if (counted(blocks) > maxBlocks) {
    const message = `Take blocks out, those within others counted: ${maxBlocks} are the most.`
    yield { pointer: "/blocks", message }
  }
  yield* blocksFaults(blocks, "/blocks", noNames)
  yield* orderFaults(blocks)
}

const within = (block: TemplateBlock): ReadonlyArray<TemplateBlock> =>
  block.kind === "each" || block.kind === "section" ? block.blocks : []

const counted = (blocks: ReadonlyArray<TemplateBlock>): number =>
  blocks.reduce((count, block) => count + 1 + counted(within(block)), 0)

/** Reg. (EU) 2017/1469 gives the sections and their order. */
function* orderFaults(blocks: ReadonlyArray<TemplateBlock>): Faults {
  let last = -1
  for (const [index, block] of blocks.entries()) {
    if (block.kind !== "section") continue
    const place = ipidSections.indexOf(block.section)
    if (place <= last) {
      const message = `Write each section once, in this order: ${ipidSections.join(", ")}.`
      yield { pointer: `/blocks/${index}/section`, message }
    }
    last = place
  }
}

function* blocksFaults(blocks: ReadonlyArray<TemplateBlock>, at: string, names: Names): Faults {
  for (const [index, block] of blocks.entries()) {
    const pointer = `${at}/${index}`
    yield* conditionFaults(block.when, pointer, names)
    yield* blockFaults(block, pointer, names)
  }
}

function* blockFaults(block: TemplateBlock, at: string, names: Names): Faults {
  switch (block.kind) {
    case "heading":
      return yield* lineFaults(block.text, `${at}/text`, names)
    case "paragraph":
      return yield* flowFaults(block.text, `${at}/text`, names)
    case "list":
      for (const [index, item] of block.items.entries()) {
        const pointer = `${at}/items/${index}`
        const inner = yield* repeatedFaults(item, pointer, names)
        yield* flowFaults(item.text, `${pointer}/text`, inner)
      }
      return
    case "keyValues":
      return yield* rowFaults(block.rows, `${at}/rows`, names)
    case "table":
      return yield* tableFaults(block, at, names)
    case "clause":
      yield* lineFaults(block.title, `${at}/title`, names)
      return yield* flowFaults(block.text, `${at}/text`, names)
    case "signatureBox":
      for (const [index, { label, name }] of block.parties.entries()) {
        yield* lineFaults(label, `${at}/parties/${index}/label`, names)
        yield* lineFaults(name, `${at}/parties/${index}/name`, names)
      }
      return
    case "image":
      return yield* glyphFaults(block.alt, `${at}/alt`)
    case "pageBreak":
      return
    case "each": {
      const inner = yield* eachFaults(block.each, `${at}/each`, names)
      return yield* blocksFaults(block.blocks, `${at}/blocks`, inner)
    }
    case "section":
      yield* lineFaults(block.title, `${at}/title`, names)
      return yield* blocksFaults(block.blocks, `${at}/blocks`, names)
  }
}

type Table = Extract<TemplateBlock, { readonly kind: "table" }>
type Rows = Extract<TemplateBlock, { readonly kind: "keyValues" }>["rows"]

function* tableFaults({ columns, rows }: Table, at: string, names: Names): Faults {
  for (const [index, { title, when }] of columns.entries()) {
    yield* conditionFaults(when, `${at}/columns/${index}`, names)
    yield* lineFaults(title, `${at}/columns/${index}/title`, names)
  }
  for (const [index, row] of rows.entries()) {
    const pointer = `${at}/rows/${index}`
    const inner = yield* repeatedFaults(row, pointer, names)
    if (row.cells.length !== columns.length) {
      const message = `Give ${columns.length} cells, one for each column.`
      yield { pointer: `${pointer}/cells`, message }
    }
    for (const [cell, text] of row.cells.entries()) {
      yield* lineFaults(text, `${pointer}/cells/${cell}`, inner)
    }
  }
}

function* rowFaults(rows: Rows, at: string, names: Names): Faults {
  for (const [index, row] of rows.entries()) {
    const pointer = `${at}/${index}`
    const inner = yield* repeatedFaults(row, pointer, names)
    yield* lineFaults(row.label, `${pointer}/label`, inner)
    yield* flowFaults(row.value, `${pointer}/value`, inner)
  }
}

interface Repeated {
  readonly when?: TemplateCondition
  readonly each?: Each
}

/** The names within a row; its condition may name the record. */
function* repeatedFaults(
  { each, when }: Repeated,
  at: string,
  names: Names
): Generator<ProductFault, Names> {
  const inner = each === undefined ? names : yield* eachFaults(each, `${at}/each`, names)
  yield* conditionFaults(when, at, inner)
  return inner
}

function* eachFaults({ as, of }: Each, at: string, names: Names): Generator<ProductFault, Names> {
  const list = typeAt(of, names)
  const record = list && recordOf(list)
  if (record === undefined) {
    yield { pointer: `${at}/of`, message: `Name a list; the document model has none at ${of}.` }
    return names
  }
  return new Map(names).set(as, record)
}

function* conditionFaults(when: TemplateCondition | undefined, at: string, names: Names): Faults {
  if (when === undefined || typeAt(when.path, names) !== undefined) return
  yield { pointer: `${at}/when/path`, message: notThere(when.path) }
}

const notThere = (path: string): string =>
  `Name another; the document model has nothing at ${path}.`

function* lineFaults(text: string, at: string, names: Names): Faults {
  yield* Result.match(line(text), {
    onFailure: (messages) => told(messages, at),
    onSuccess: (pieces) => pieceFaults(pieces, at, names)
  })
}

function* flowFaults(text: string, at: string, names: Names): Faults {
  yield* Result.match(flows(text), {
    onFailure: (messages) => told(messages, at),
    onSuccess: (found) => pieceFaults(found.flatMap(piecesOf), at, names)
  })
}

const told = (messages: ReadonlyArray<string>, pointer: string): ReadonlyArray<ProductFault> =>
  messages.map((message) => ({ pointer, message }))

const piecesOf = (flow: Flow): ReadonlyArray<Piece> =>
  flow.kind === "paragraph" ? flow.pieces : flow.items.flat().flatMap(piecesOf)

function* pieceFaults(pieces: ReadonlyArray<Piece>, at: string, names: Names): Faults {
  for (const { content } of pieces) {
    if (typeof content === "string") {
      yield* glyphFaults(content, at)
      continue
    }
    const type = typeAt(content.path, names)
    if (type === undefined) yield { pointer: at, message: notThere(content.path) }
    else if (!isShown(type, content.format)) {
      const message = `Name another value, or another format: ${content.format} can't show ${content.path}.`
      yield { pointer: at, message }
    }
    yield* glyphFaults(content.otherwise ?? "", at)
  }
}

function* glyphFaults(text: string, pointer: string): Faults {
  const lacking = unprintable(printable(text))
  if (lacking.length === 0) return
  const message = `Leave out ${lacking.join(" ")}; no font of the service has these characters.`
  yield { pointer, message }
}

/** The images of a template: where each is named, and its file. */
export const imagePlaces = (
  blocks: ReadonlyArray<TemplateBlock>,
  at = "/blocks"
): ReadonlyArray<{ readonly pointer: string; readonly sha256: string }> =>
  blocks.flatMap((block, index) =>
    block.kind === "image"
      ? [{ pointer: `${at}/${index}/file`, sha256: block.file }]
      : imagePlaces(within(block), `${at}/${index}/blocks`)
  )
