/** Turns the blocks of a template into those that a layout sets: conditions judged, lists gone through. */
import type {
  Each,
  TemplateBlock,
  TemplateCondition
} from "@quittance/domain/documents/DocumentTemplate"
import type { ComposedBlock, ComposedRow } from "./ComposedDocument.ts"
import { type Scope, scopesOf } from "./ModelValues.ts"
import type { TextWriter } from "./TextWriter.ts"

type Of<Kind extends TemplateBlock["kind"]> = Extract<TemplateBlock, { readonly kind: Kind }>

interface Repeated {
  readonly when?: TemplateCondition
  readonly each?: Each
}

/** What a row becomes: nothing, itself, or one for each record. Its condition may name the record. */
const repeat = <Row extends Repeated, A>(
  rows: ReadonlyArray<Row>,
  scope: Scope,
  writer: TextWriter,
  write: (row: Row, scope: Scope) => A
): ReadonlyArray<A> =>
  rows.flatMap((row) =>
    (row.each === undefined ? [scope] : scopesOf(scope, row.each))
      .filter((inner) => writer.holds(row.when, inner))
      .map((inner) => write(row, inner))
  )

export const rowsOf = (
  rows: Of<"keyValues">["rows"],
  scope: Scope,
  writer: TextWriter
): ReadonlyArray<ComposedRow> =>
  repeat(rows, scope, writer, ({ label, value }, inner) => ({
    label: writer.line(label, inner),
    value: writer.flows(value, inner)
  }))

/** The blocks that stand, in order; those of which nothing is left are left out. */
export const blocksOf = (
  blocks: ReadonlyArray<TemplateBlock>,
  scope: Scope,
  writer: TextWriter
): ReadonlyArray<ComposedBlock> =>
  blocks
    .filter(({ when }) => writer.holds(when, scope))
    .flatMap((block) =>
      block.kind === "each"
        ? scopesOf(scope, block.each).flatMap((inner) => blocksOf(block.blocks, inner, writer))
        : blockOf(block, scope, writer)
    )

const blockOf = (
  block: Exclude<TemplateBlock, Of<"each">>,
  scope: Scope,
  writer: TextWriter
): ReadonlyArray<ComposedBlock> => {
  const { kind } = block
  switch (kind) {
    case "heading":
      return filled(writer.line(block.text, scope), (text) => ({
        kind,
        level: block.level ?? 1,
        text
      }))
    case "paragraph":
      return [{ kind, style: block.style ?? "PLAIN", text: writer.flows(block.text, scope) }]
    case "list":
      return filled(
        repeat(block.items, scope, writer, ({ text }, inner) => writer.flows(text, inner)),
        (items) => ({ kind, items })
      )
    case "keyValues":
      return filled(rowsOf(block.rows, scope, writer), (rows) => ({ kind, rows }))
    case "table":
      return tableOf(block, scope, writer)
    case "clause":
      return [
        {
          kind,
          title: writer.line(block.title, scope),
          text: writer.flows(block.text, scope),
          apparent: block.apparent ?? false
        }
      ]
    case "signatureBox":
      return [
        {
          kind,
          parties: block.parties.map(({ label, name }) => ({
            label: writer.line(label, scope),
            name: writer.line(name, scope)
          }))
        }
      ]
    case "image":
      return [{ kind, file: block.file, alt: block.alt, width: block.width }]
    case "pageBreak":
      return [{ kind }]
    case "section":
      return [
        {
          kind,
          section: block.section,
          title: writer.line(block.title, scope),
          blocks: blocksOf(block.blocks, scope, writer)
        }
      ]
  }
}

const tableOf = (
  { columns, kind, rows }: Of<"table">,
  scope: Scope,
  writer: TextWriter
): ReadonlyArray<ComposedBlock> => {
  const stands = columns.map(({ when }) => writer.holds(when, scope))
  const standing = <A>(all: ReadonlyArray<A>) => all.filter((_, column) => stands[column] ?? true)
  return filled(
    repeat(rows, scope, writer, ({ cells, strong }, inner) => ({
      cells: standing(cells).map((cell) => writer.line(cell, inner)),
      strong: strong ?? false
    })),
    (body) => ({
      kind,
      columns: standing(columns).map(({ align, share, title }) => ({
        title: writer.line(title, scope),
        align: align ?? "LEFT",
        share: share ?? 0
      })),
      rows: body
    })
  )
}

const filled = <A>(
  all: ReadonlyArray<A>,
  make: (all: ReadonlyArray<A>) => ComposedBlock
): ReadonlyArray<ComposedBlock> => (all.length === 0 ? [] : [make(all)])
