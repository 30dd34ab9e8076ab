/**
 * What a document says, as data: blocks of text with places for values of the document model. It has no
 * expressions, no loops but `each`, and no source code of a typesetter. A published version never changes.
 *
 * A text is Markdown with emphasis, strong text and lists, and nothing else of it. `{{path|format}}` is
 * replaced by the value there; `{{path|format|text}}` by the text where the model has no such value.
 */
import { Schema } from "effect"
import {
  FileHash,
  ModelPath,
  TemplateId,
  TemplateVersion
} from "../products/documents/DocumentDefinition.ts"
import { ElectronicInvoicing } from "./ElectronicInvoicing.ts"
import { CustomFieldValue } from "../values/CustomField.ts"

/** Text that people read; see the head of this file. */
export const TemplateText = Schema.String.check(Schema.isMaxLength(20_000))

/** How a value is shown, in the locale of the template. */
export const valueFormats = [
  "text",
  "date",
  "longDate",
  "dateTime",
  "money",
  "percent",
  "number",
  "label"
] as const
export type ValueFormat = (typeof valueFormats)[number]

/** Whether the value at a path is one of these, or whether there is one at all. */
export const TemplateCondition = Schema.Union([
  Schema.Struct({
    path: ModelPath,
    in: Schema.Array(CustomFieldValue).check(Schema.isMinLength(1), Schema.isMaxLength(100))
  }),
  Schema.Struct({ path: ModelPath, exists: Schema.Boolean })
])
export type TemplateCondition = typeof TemplateCondition.Type

/** Goes through a list of the model; each of its records has the name `as` in the texts within. */
export const Each = Schema.Struct({
  of: ModelPath,
  as: Schema.String.check(
    Schema.isPattern(/^[a-z][A-Za-z0-9]{0,31}$/u, {
      message: "Expected a lower-case letter, then letters and digits"
    })
  )
})
export type Each = typeof Each.Type

const conditional = { when: Schema.optionalKey(TemplateCondition) }
const repeated = { ...conditional, each: Schema.optionalKey(Each) }

const Heading = Schema.Struct({
  kind: Schema.Literal("heading"),
  ...conditional,
  /** 1 to 3; absent: 1. */
  level: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 3 }))),
  text: TemplateText
})

const Paragraph = Schema.Struct({
  kind: Schema.Literal("paragraph"),
  ...conditional,
  /** `BOX` is framed, `SMALL` is for notes; absent: as the other text. */
  style: Schema.optionalKey(Schema.Literals(["BOX", "SMALL"])),
  text: TemplateText
})

const List = Schema.Struct({
  kind: Schema.Literal("list"),
  ...conditional,
  items: Schema.Array(Schema.Struct({ ...repeated, text: TemplateText })).check(
    Schema.isMinLength(1),
    Schema.isMaxLength(200)
  )
})

const KeyValues = Schema.Struct({
  kind: Schema.Literal("keyValues"),
  ...conditional,
  rows: Schema.Array(
    Schema.Struct({ ...repeated, label: TemplateText, value: TemplateText })
  ).check(Schema.isMinLength(1), Schema.isMaxLength(200))
})

const Table = Schema.Struct({
  kind: Schema.Literal("table"),
  ...conditional,
  columns: Schema.Array(
    Schema.Struct({
      /** A column that does not stand takes its cells along. */
      ...conditional,
      title: TemplateText,
      /** Amounts and numbers stand on the right; absent: LEFT. */
      align: Schema.optionalKey(Schema.Literals(["LEFT", "RIGHT"])),
      /** Its share of the width beside the others; absent: as wide as it has to be. */
      share: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 12 })))
    })
  ).check(Schema.isMinLength(1), Schema.isMaxLength(8)),
  /** A cell for each column. `strong` is for totals. */
  rows: Schema.Array(
    Schema.Struct({
      ...repeated,
      cells: Schema.Array(TemplateText).check(Schema.isMinLength(1), Schema.isMaxLength(8)),
      strong: Schema.optionalKey(Schema.Boolean)
    })
  ).check(Schema.isMinLength(1), Schema.isMaxLength(200))
})

const Clause = Schema.Struct({
  kind: Schema.Literal("clause"),
  ...conditional,
  title: TemplateText,
  text: TemplateText,
  /** In very apparent type, as exclusions have to be (art. L112-4 code des assurances). */
  apparent: Schema.optionalKey(Schema.Boolean)
})

const SignatureBox = Schema.Struct({
  kind: Schema.Literal("signatureBox"),
  ...conditional,
  /** Who signs, one box beside the other. */
  parties: Schema.Array(Schema.Struct({ label: TemplateText, name: TemplateText })).check(
    Schema.isMinLength(1),
    Schema.isMaxLength(2)
  )
})

const Image = Schema.Struct({
  kind: Schema.Literal("image"),
  ...conditional,
  file: FileHash,
  /** What is to be seen, for those who can't see it. */
  alt: Schema.NonEmptyString.check(Schema.isMaxLength(500)),
  /** Millimetres. */
  width: Schema.Int.check(Schema.isBetween({ minimum: 5, maximum: 170 }))
})

const PageBreak = Schema.Struct({ kind: Schema.Literal("pageBreak"), ...conditional })

/** The nine sections of the insurance product information document, in their order (Reg. (EU) 2017/1469). */
export const ipidSections = [
  "TYPE",
  "INSURED",
  "NOT_INSURED",
  "RESTRICTIONS",
  "WHERE",
  "OBLIGATIONS",
  "PAYMENT",
  "DURATION",
  "CANCELLATION"
] as const
export type IpidSection = (typeof ipidSections)[number]

interface EachBlock extends Schema.Struct.Type<typeof conditional> {
  readonly kind: "each"
  readonly each: Each
  readonly blocks: ReadonlyArray<TemplateBlock>
}

interface SectionBlock extends Schema.Struct.Type<typeof conditional> {
  readonly kind: "section"
  readonly section: IpidSection
  readonly title: string
  readonly blocks: ReadonlyArray<TemplateBlock>
}

const Leaf = Schema.Union([
  Heading,
  Paragraph,
  List,
  KeyValues,
  Table,
  Clause,
  SignatureBox,
  Image,
  PageBreak
])

export type TemplateBlock = typeof Leaf.Type | EachBlock | SectionBlock

/** At most so many in a template, those within others counted. */
export const maxBlocks = 500

const Blocks = Schema.Array(Schema.suspend((): Schema.Codec<TemplateBlock> => TemplateBlock)).check(
  Schema.isMinLength(1),
  Schema.isMaxLength(maxBlocks)
)

export const TemplateBlock: Schema.Codec<TemplateBlock> = Schema.Union([
  Leaf,
  Schema.Struct({ kind: Schema.Literal("each"), ...conditional, each: Each, blocks: Blocks }),
  Schema.Struct({
    kind: Schema.Literal("section"),
    ...conditional,
    section: Schema.Literals(ipidSections),
    title: TemplateText,
    blocks: Blocks
  })
]).annotate({ identifier: "TemplateBlock" })

/** A layout's name, such as `letter`; the service has `letter` and `ipid`, its operator may add others. */
export const LayoutName = Schema.String.check(
  Schema.isPattern(/^[a-z][a-z0-9-]{0,31}$/u, {
    message: "Expected a lower-case letter, then at most 31 letters, digits and hyphens"
  })
)

const Lines = Schema.Array(TemplateText).check(Schema.isMaxLength(12))

export const DocumentTemplate = Schema.Struct({
  /** Where an editor finds the schema of the template. */
  $schema: Schema.optionalKey(Schema.String),
  templateId: TemplateId,
  version: TemplateVersion,
  /** BCP 47 with its country, which says how dates and amounts are written: fr-FR. */
  locale: Schema.String.check(
    Schema.isPattern(/^[a-z]{2}-[A-Z]{2}$/u, {
      message: "Expected a language with its country: fr-FR"
    })
  ),
  layout: LayoutName,
  title: TemplateText,
  /** Who writes, line by line, at the head of the first page. */
  sender: Lines.check(Schema.isMinLength(1)),
  /** Who it is for, in the window of an envelope; absent: it is no letter. */
  recipient: Schema.optionalKey(Lines.check(Schema.isMinLength(1))),
  /** References beside the title: the contract's number, the date. */
  facts: Schema.optionalKey(KeyValues.fields.rows),
  /** At the foot of each page, beside its number. */
  footer: Schema.optionalKey(TemplateText),
  /** On each page of what is an offer and not in force: `Projet`. */
  draft: Schema.NonEmptyString.check(Schema.isMaxLength(100)),
  /** Words of the template for codes of the model, beside those that the service knows. */
  labels: Schema.optionalKey(
    Schema.Record(
      Schema.String.check(Schema.isPattern(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/u)),
      Schema.NonEmptyString.check(Schema.isMaxLength(200))
    )
  ),
  /** Of an invoice or credit note: what its data says besides, where the payer is a company. */
  electronic: Schema.optionalKey(ElectronicInvoicing),
  blocks: Blocks
}).annotate({ identifier: "DocumentTemplate" })
export type DocumentTemplate = typeof DocumentTemplate.Type

/** The files that the images of a template show, by their hash. */
export const imagesOf = ({ blocks }: Pick<DocumentTemplate, "blocks">): ReadonlyArray<string> => [
  ...new Set(imagesIn(blocks))
]

const imagesIn = (blocks: ReadonlyArray<TemplateBlock>): ReadonlyArray<string> =>
  blocks.flatMap((block) => {
    if (block.kind === "image") return [block.file]
    return block.kind === "each" || block.kind === "section" ? imagesIn(block.blocks) : []
  })
