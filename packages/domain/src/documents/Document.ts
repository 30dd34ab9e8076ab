/** A document: a file about a policy, what it was made of and what has become of it. */
import { Schema } from "effect"
import {
  DocumentKind,
  DocumentTrigger,
  DocumentVisibility,
  FileHash,
  TemplateId,
  TemplateVersion
} from "../products/documents/DocumentDefinition.ts"
import { AnyInvoiceId, BranchId, CustomerId, PolicyId } from "../values/Ids.ts"
import { Instant } from "../values/Instant.ts"
import * as PrefixedId from "../values/PrefixedId.ts"
import { RenderingFailure } from "./RenderingFailure.ts"

export const DocumentId = PrefixedId.schema("document")
export type DocumentId = typeof DocumentId.Type

export const DocumentStatus = Schema.Literals([
  /** It is written down that it is to be made; there are no bytes yet. */
  "PENDING",
  /** Its bytes are fixed for good. */
  "READY",
  /** It could not be made; reading it tries again. */
  "FAILED",
  /** Of an offer that has changed since; its bytes stay for who could read them. */
  "VOID"
])
export type DocumentStatus = typeof DocumentStatus.Type

/** Why a document could not be made: by its renderer, or because its template was not published. */
export const DocumentFailure = Schema.Struct({
  reason: Schema.Union([RenderingFailure, Schema.Literal("TEMPLATE_MISSING")]),
  /** The values that are wrong or missing, by their paths in the document's data. */
  paths: Schema.Array(Schema.String)
}).annotate({ identifier: "DocumentFailure" })
export type DocumentFailure = typeof DocumentFailure.Type

export const Document = Schema.Struct({
  id: DocumentId,
  kind: DocumentKind,
  title: Schema.String,
  status: DocumentStatus,
  /** Counts the documents of one definition on one branch from 1; those of invoices for each invoice. */
  version: Schema.Int,
  policyId: PolicyId,
  /** On whose data it was made. */
  branchId: BranchId,
  /** Absent: it is for all of the policy. */
  customerId: Schema.optionalKey(CustomerId),
  invoiceId: Schema.optionalKey(AnyInvoiceId),
  /** In the product's list of documents. */
  definitionId: Schema.String,
  trigger: DocumentTrigger,
  visibility: DocumentVisibility,
  mediaType: Schema.String,
  /** The business time of what it was made for. */
  effectiveAt: Instant,
  /** Its data are what was known of the policy then. */
  knownAt: Instant,
  product: Schema.Struct({ id: Schema.String, version: Schema.String }),
  template: Schema.Struct({ id: TemplateId, version: TemplateVersion }),
  /** The same renderer makes the same bytes of the same data. Absent until there are bytes, like what follows. */
  renderer: Schema.optionalKey(Schema.String),
  sha256: Schema.optionalKey(FileHash),
  size: Schema.optionalKey(Schema.Int),
  pages: Schema.optionalKey(Schema.Int),
  createdAt: Instant,
  readyAt: Schema.optionalKey(Instant),
  failure: Schema.optionalKey(DocumentFailure)
}).annotate({ identifier: "Document" })
export type Document = typeof Document.Type

export class DocumentNotFound extends Schema.TaggedError<DocumentNotFound>()("DocumentNotFound", {
  documentId: Schema.String
}) {
  override get message() {
    return `Document ${this.documentId} does not exist, or is not shown to this caller; check the identifier and the tenant.`
  }
}

/** A document could not be made. */
export class DocumentNotReady extends Schema.TaggedError<DocumentNotReady>()("DocumentNotReady", {
  status: DocumentStatus,
  failure: DocumentFailure
}) {
  override get message() {
    return "The document could not be made; `failure` says why. Correct that, then ask again."
  }
}
