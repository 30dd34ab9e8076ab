/** Makes a document again from the data inside it, and tells whether that gives the same bytes. */
import { DocumentRenderer } from "@quittance/documents/DocumentRenderer"
import { DocumentModel } from "@quittance/domain/documents/DocumentModel"
import type { DocumentTemplate } from "@quittance/domain/documents/DocumentTemplate"
import { Effect, Option, Schema } from "effect"
import { carriedData } from "./CarriedData.ts"

export type Verdict =
  /** The same bytes came of it. */
  | { readonly kind: "SAME"; readonly renderer: string }
  /** Others did: from which byte on, and what is there. */
  | { readonly kind: "DIFFERENT"; readonly from: number; readonly where: string }
  /** It was made by another renderer, which may make other bytes of the same data. */
  | { readonly kind: "OTHER_RENDERER"; readonly renderer: string }
  | { readonly kind: "NO_TEMPLATE"; readonly templateId: string; readonly version: string }
  /** It shows images, which it does not carry as files. */
  | { readonly kind: "IMAGES" }
  /** Nothing inside it says what it was made of. */
  | { readonly kind: "NO_DATA" }

const decodeData = Schema.decodeOption(Schema.fromJsonString(DocumentModel))

/** A function of the file, the templates and the renderer; fails where the data can't be set any more. */
export const verify = Effect.fn("Verification.verify")(function* (
  pdf: Uint8Array,
  templates: ReadonlyArray<DocumentTemplate>
) {
  const verdict = (it: Verdict) => it
  const documents = yield* DocumentRenderer
  const carried = carriedData(pdf)
  if (carried === undefined) return verdict({ kind: "NO_DATA" })
  const { data, renderer } = carried
  if (renderer !== documents.renderer) return verdict({ kind: "OTHER_RENDERER", renderer })
  const model = decodeData(data)
  if (Option.isNone(model)) return verdict({ kind: "NO_DATA" })
  const { id, version } = model.value.document.template
  const template = templates.find((one) => one.templateId === id && one.version === version)
  if (template === undefined) return verdict({ kind: "NO_TEMPLATE", templateId: id, version })
  if (JSON.stringify(template.blocks).includes('"kind":"image"')) return verdict({ kind: "IMAGES" })
  const made = yield* documents.render({ template, model: model.value, files: new Map() })
  const from = differenceOf(pdf, made.bytes)
  return verdict(
    from === undefined
      ? { kind: "SAME", renderer }
      : { kind: "DIFFERENT", from, where: placeOf(pdf, from) }
  )
})

/** The first byte that differs, or of which one has more. */
const differenceOf = (one: Uint8Array, other: Uint8Array): number | undefined => {
  if (Buffer.from(one).equals(other)) return undefined
  const end = Math.min(one.length, other.length)
  for (let at = 0; at < end; at++) if (one[at] !== other[at]) return at
  return end
}

/** What the objects of the file hold, by what they say of themselves. */
const places = [
  [/\/Type \/EmbeddedFile/u, "a file that it carries"],
  [/\/Type \/Metadata/u, "its metadata"],
  [/\/Type \/(?:Font|FontDescriptor)|\/FontFile|\/CIDInit|\/Subtype \/CIDFontType/u, "a font"],
  [/\/Type \/StructElem|\/Type \/StructTreeRoot/u, "its structure"],
  [/\/Title|\/Author|\/CreationDate/u, "its title, author or date"],
  [/\/Type \/(?:Page|Pages|Catalog)/u, "its list of pages"],
  [/^<<\s+\/Length \d+\s+\/Filter \/FlateDecode\s+>>/u, "what a page shows, or a font"]
] as const

const placeOf = (pdf: Uint8Array, at: number): string => {
  const before = Buffer.from(pdf.subarray(0, at + 1)).toString("latin1")
  const start = before.lastIndexOf(" 0 obj\n")
  if (start < 0 || before.lastIndexOf("\nxref\n") > start) return "its table of contents or its end"
  const head = Buffer.from(pdf.subarray(start + 7, start + 600)).toString("latin1")
  const dictionary = head.split(/\n>>|stream\n/u)[0]! + "\n>>"
  return places.find(([pattern]) => pattern.test(dictionary))?.[1] ?? "another part of it"
}
