/** A document as its row has it. */
import {
  Document,
  DocumentAuthor,
  DocumentFailure,
  type GeneratedDocument
} from "@quittance/domain/documents/Document"
import {
  type DocumentDefinition,
  TemplateId,
  TemplateVersion
} from "@quittance/domain/products/documents/DocumentDefinition"
import { Schema, Struct } from "effect"
import { InstantColumn, IntColumn } from "../sql/Columns.ts"
import { withoutNulls } from "../sql/Rows.ts"

export const documentColumns = `d.id, d.kind, d.title, d.origin, d.status, d.version, d.policy_id, d.branch_id,
  d.customer_id, d.invoice_id, d.definition_id, d.trigger, d.visibility, d.media_type, d.effective_at,
  d.known_at, d.product_id, d.product_version, d.template_id, d.template_version, d.renderer,
  d.content_address, d.sha256, d.size, d.pages, d.failure, d.author_kind, d.author_id,
  d.created_at, d.ready_at`

/** A document, and where its bytes are. */
export interface StoredDocument {
  readonly document: Document
  readonly contentAddress: string | undefined
}

/** A document that is due. */
export type PlannedDocument = Omit<
  GeneratedDocument,
  | "author"
  | "failure"
  | "origin"
  | "pages"
  | "readyAt"
  | "renderer"
  | "sha256"
  | "size"
  | "status"
  | "version"
> & {
  readonly eventId: string
  readonly visibility: DocumentDefinition["visibility"]
}

const Row = Schema.Struct({
  ...Struct.omit(Document.fields, ["author", "product", "template"]),
  productId: Schema.optionalKey(Schema.String),
  productVersion: Schema.optionalKey(Schema.String),
  templateId: Schema.optionalKey(TemplateId),
  templateVersion: Schema.optionalKey(TemplateVersion),
  authorKind: Schema.optionalKey(DocumentAuthor.fields.kind),
  authorId: Schema.optionalKey(Schema.String),
  contentAddress: Schema.optionalKey(Schema.String),
  size: Schema.optionalKey(IntColumn),
  failure: Schema.optionalKey(DocumentFailure),
  effectiveAt: Schema.optionalKey(InstantColumn),
  knownAt: Schema.optionalKey(InstantColumn),
  createdAt: InstantColumn,
  readyAt: Schema.optionalKey(InstantColumn)
})
const decode = Schema.decodeUnknownSync(Row)

export const toStored = (row: object): StoredDocument => {
  const {
    authorId,
    authorKind,
    contentAddress,
    productId,
    productVersion,
    templateId,
    templateVersion,
    ...rest
  } = decode(withoutNulls(row))
  return {
    contentAddress,
    document: {
      ...rest,
      // Each pair is there as a whole or not at all, as the table says.
      ...(productId === undefined ? {} : { product: { id: productId, version: productVersion! } }),
      ...(templateId === undefined
        ? {}
        : { template: { id: templateId, version: templateVersion! } }),
      ...(authorId === undefined ? {} : { author: { kind: authorKind!, id: authorId } })
    }
  }
}
