/** A document as its row has it. */
import { Document, DocumentFailure } from "@quittance/domain/documents/Document"
import type { DocumentDefinition } from "@quittance/domain/products/documents/DocumentDefinition"
import { Schema, Struct } from "effect"
import { InstantColumn, IntColumn } from "../sql/Columns.ts"
import { withoutNulls } from "../sql/Rows.ts"

export const documentColumns = `d.id, d.kind, d.title, d.status, d.version, d.policy_id, d.branch_id,
  d.customer_id, d.invoice_id, d.definition_id, d.trigger, d.visibility, d.media_type, d.effective_at,
  d.known_at, d.product_id, d.product_version, d.template_id, d.template_version, d.renderer,
  d.content_address, d.sha256, d.size, d.pages, d.failure, d.created_at, d.ready_at`

/** A document, and where its bytes are. */
export interface StoredDocument {
  readonly document: Document
  readonly contentAddress: string | undefined
}

/** A document that is due. */
export type PlannedDocument = Omit<
  Document,
  "failure" | "pages" | "readyAt" | "renderer" | "sha256" | "size" | "status" | "version"
> & {
  readonly eventId: string
  readonly visibility: DocumentDefinition["visibility"]
}

const Row = Schema.Struct({
  ...Struct.omit(Document.fields, ["product", "template"]),
  productId: Document.fields.product.fields.id,
  productVersion: Document.fields.product.fields.version,
  templateId: Document.fields.template.fields.id,
  templateVersion: Document.fields.template.fields.version,
  contentAddress: Schema.optionalKey(Schema.String),
  size: Schema.optionalKey(IntColumn),
  failure: Schema.optionalKey(DocumentFailure),
  effectiveAt: InstantColumn,
  knownAt: InstantColumn,
  createdAt: InstantColumn,
  readyAt: Schema.optionalKey(InstantColumn)
})
const decode = Schema.decodeUnknownSync(Row)

export const toStored = (row: object): StoredDocument => {
  const { contentAddress, productId, productVersion, templateId, templateVersion, ...rest } =
    decode(withoutNulls(row))
  const product = { id: productId, version: productVersion }
  const template = { id: templateId, version: templateVersion }
  return { document: { ...rest, product, template }, contentAddress }
}
