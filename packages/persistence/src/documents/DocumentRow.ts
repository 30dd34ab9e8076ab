/** A document as its row has it. */
import { Document, DocumentAuthor, DocumentFailure } from "@quittance/domain/documents/Document"
import {
  TemplateId,
  TemplateVersion
} from "@quittance/domain/products/documents/DocumentDefinition"
import type { BatchedDocument } from "@quittance/domain/documents/DocumentBatch"
import { DocumentAbout } from "@quittance/domain/documents/DocumentAbout"
import type { CustomerId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import { Schema, Struct } from "effect"
import { InstantColumn, IntColumn } from "../sql/Columns.ts"
import { withoutNulls } from "../sql/Rows.ts"

export const documentColumns = `d.id, d.kind, d.title, d.origin, d.status, d.version, d.policy_id, d.branch_id,
  d.customer_id, d.asset_id, d.invoice_id, d.formal_notice_id, d.number, d.definition_id, d.trigger, d.visibility, d.media_type, d.effective_at,
  d.known_at, d.product_id, d.product_version, d.template_id, d.template_version, d.renderer,
  d.content_address, d.sha256, d.size, d.pages, d.failure, d.author_kind, d.author_id,
  d.created_at, d.ready_at, d.in_force_at, d.in_force_known_at, d.voided_at, d.void_reason, d.about, d.source_file, d.source_document_id,
  CASE WHEN d.restored_at >= d.ended_at THEN NULL ELSE d.ended_at END AS ended_at`

/** A document, and where its bytes are. */
export interface StoredDocument {
  readonly document: Document
  readonly contentAddress: string | undefined
  readonly about: DocumentAbout
  /** Of a file of the product: its SHA-256. */
  readonly sourceFile: string | undefined
  /** When it was recorded that it is in force. */
  readonly inForceKnownAt: Instant | undefined
}

/** A document that is due. */
export interface PlannedDocument
  extends
    BatchedDocument,
    Pick<
      Document,
      | "assetId"
      | "createdAt"
      | "customerId"
      | "id"
      | "invoiceId"
      | "kind"
      | "mediaType"
      | "title"
      | "visibility"
    > {
  readonly eventId: string
  readonly definitionId: string
  readonly effectiveAt: Instant
  readonly knownAt: Instant
  readonly product: { readonly id: string; readonly version: string }
  /** Absent where it is a file of the product. */
  readonly template?: { readonly id: string; readonly version: string } | undefined
  readonly sourceFile?: string | undefined
  readonly about?: DocumentAbout | undefined
  /** Who gets a letter with a link to it. */
  readonly letters: ReadonlyArray<CustomerId>
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
  readyAt: Schema.optionalKey(InstantColumn),
  inForceAt: Schema.optionalKey(InstantColumn),
  inForceKnownAt: Schema.optionalKey(InstantColumn),
  endedAt: Schema.optionalKey(InstantColumn),
  voidedAt: Schema.optionalKey(InstantColumn),
  about: Schema.optionalKey(DocumentAbout),
  sourceFile: Schema.optionalKey(Schema.String)
})
const decode = Schema.decodeUnknownSync(Row)

export const toStored = (row: object): StoredDocument => {
  const {
    about = {},
    authorId,
    authorKind,
    contentAddress,
    inForceKnownAt,
    productId,
    productVersion,
    templateId,
    templateVersion,
    sourceFile,
    ...rest
  } = decode(withoutNulls(row))
  return {
    contentAddress,
    about,
    sourceFile,
    inForceKnownAt,
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
