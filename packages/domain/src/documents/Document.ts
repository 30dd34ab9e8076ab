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
import { AuditActorKind } from "../requests/Actor.ts"
import {
  AnyInvoiceId,
  AssetId,
  BranchId,
  CustomerId,
  FormalNoticeId,
  PolicyId
} from "../values/Ids.ts"
import { Instant } from "../values/Instant.ts"
import * as PrefixedId from "../values/PrefixedId.ts"
import { RenderingFailure } from "./RenderingFailure.ts"

export const DocumentId = PrefixedId.schema("document")
export type DocumentId = typeof DocumentId.Type

/** Where its bytes come from. */
export const DocumentOrigin = Schema.Literals([
  /** Made of a template. */
  "GENERATED",
  /** A file of the product. */
  "STATIC",
  /** Added by people. */
  "UPLOADED",
  /** A document that was signed, with the seal of the tenant. */
  "SEALED",
  /** What proves something, such as a signature. */
  "EVIDENCE"
])
export type DocumentOrigin = typeof DocumentOrigin.Type

export const DocumentStatus = Schema.Literals([
  /** It is written down that it is to be made; there are no bytes yet. */
  "PENDING",
  /** Added by people, and not judged by the scanner yet: its bytes can't be read. */
  "QUARANTINED",
  /** Its bytes are fixed for good. */
  "READY",
  /** It could not be made; reading it tries again. */
  "FAILED",
  /** An upload that is not taken: its bytes are destroyed, its hash and the reason stay. */
  "REJECTED",
  /** Of an offer that has changed since; its bytes stay for who could read them. */
  "VOID",
  /** Its bytes and their key are destroyed; its hash, kind and times stay. */
  "ERASED"
])
export type DocumentStatus = typeof DocumentStatus.Type

/**
 * Why there are no bytes: by the renderer, because the template was not published, or because the scanner
 * has found malware in an upload.
 */
export const DocumentFailure = Schema.Struct({
  reason: Schema.Literals([
    ...RenderingFailure.literals,
    "TEMPLATE_MISSING",
    "FILE_MISSING",
    "MALWARE"
  ]),
  /** The values that are wrong or missing, by their paths in the document's data. */
  paths: Schema.Array(Schema.String)
}).annotate({ identifier: "DocumentFailure" })
export type DocumentFailure = typeof DocumentFailure.Type

/** Who has added a document: the kind of caller, and their identifier. */
export const DocumentAuthor = Schema.Struct({
  kind: AuditActorKind,
  id: Schema.String
}).annotate({ identifier: "DocumentAuthor" })
export type DocumentAuthor = typeof DocumentAuthor.Type

export const Document = Schema.Struct({
  id: DocumentId,
  kind: DocumentKind,
  title: Schema.String,
  origin: DocumentOrigin,
  status: DocumentStatus,
  /** Counts the documents of one definition on one branch from 1; those of invoices for each invoice. */
  version: Schema.Int,
  policyId: PolicyId,
  /** On whose data it was made. Like all that tells of a template, absent of what people have added. */
  branchId: Schema.optionalKey(BranchId),
  /** Absent: it is for all of the policy. */
  customerId: Schema.optionalKey(CustomerId),
  assetId: Schema.optionalKey(AssetId),
  invoiceId: Schema.optionalKey(AnyInvoiceId),
  formalNoticeId: Schema.optionalKey(FormalNoticeId),
  /** Of a sealed document: the one whose bytes it begins with. */
  sourceDocumentId: Schema.optionalKey(DocumentId),
  /** Of an endorsement in force: counts those of the policy from 1, without a gap. */
  number: Schema.optionalKey(Schema.Int),
  /** In the product's list of documents. */
  definitionId: Schema.optionalKey(Schema.String),
  trigger: Schema.optionalKey(DocumentTrigger),
  visibility: DocumentVisibility,
  mediaType: Schema.String,
  /** The business time of what it was made for. */
  effectiveAt: Schema.optionalKey(Instant),
  /** Its data are what was known of the policy then. */
  knownAt: Schema.optionalKey(Instant),
  /** From when on it is in force; absent of what is only offered. */
  inForceAt: Schema.optionalKey(Instant),
  /** When it was recorded that it is in force no longer: its change was reverted, or undone. */
  endedAt: Schema.optionalKey(Instant),
  /** The document of the same definition that was in force before it, and the one that is after it. */
  replaces: Schema.optionalKey(DocumentId),
  replacedBy: Schema.optionalKey(DocumentId),
  product: Schema.optionalKey(Schema.Struct({ id: Schema.String, version: Schema.String })),
  template: Schema.optionalKey(Schema.Struct({ id: TemplateId, version: TemplateVersion })),
  /** The same renderer makes the same bytes of the same data. Absent until there are bytes, like what follows. */
  renderer: Schema.optionalKey(Schema.String),
  sha256: Schema.optionalKey(FileHash),
  size: Schema.optionalKey(Schema.Int),
  pages: Schema.optionalKey(Schema.Int),
  /** Who has added it; absent of what the service has made. */
  author: Schema.optionalKey(DocumentAuthor),
  createdAt: Instant,
  readyAt: Schema.optionalKey(Instant),
  failure: Schema.optionalKey(DocumentFailure),
  /** When it became void. */
  voidedAt: Schema.optionalKey(Instant),
  /** Why people have withdrawn it; absent where its offer has changed. */
  voidReason: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "Document" })
export type Document = typeof Document.Type

/** A document that is made of a template, and all that it is made of. */
export type GeneratedDocument = Document & Required<Pick<Document, (typeof ofTemplate)[number]>>

const ofTemplate = [
  "branchId",
  "definitionId",
  "trigger",
  "effectiveAt",
  "knownAt",
  "product",
  "template"
] as const

export const isGenerated = (document: Document): document is GeneratedDocument =>
  document.origin === "GENERATED"

export class DocumentNotFound extends Schema.TaggedError<DocumentNotFound>()("DocumentNotFound", {
  documentId: Schema.String
}) {
  override get message() {
    return `Document ${this.documentId} does not exist, or is not shown to this caller; check the identifier and the tenant.`
  }
}

/** The content of a document was asked for that has none to show. */
export class DocumentNotReady extends Schema.TaggedError<DocumentNotReady>()("DocumentNotReady", {
  status: DocumentStatus,
  failure: Schema.optionalKey(DocumentFailure)
}) {
  override get message() {
    return adviceOf[this.status] ?? "The document has no bytes yet. Ask again in a moment."
  }
}

const adviceOf: Partial<Record<DocumentStatus, string>> = {
  PENDING: "The document has no bytes yet. Read its content, which makes them, then ask again.",
  VOID: "The offer that the document belongs to has changed. Acknowledge the one that takes its place.",
  QUARANTINED: "The upload has not been scanned for malware yet. Ask again in a moment.",
  FAILED: "The document could not be made; `failure` says why. Correct that, then ask again.",
  REJECTED: "The upload was not taken; `failure` says why. Send another file."
}

/** The bytes of a document are destroyed. */
export class DocumentErased extends Schema.TaggedError<DocumentErased>()("DocumentErased", {
  documentId: Schema.String
}) {
  override get message() {
    return `The bytes of ${this.documentId} were destroyed, as rules of personal data ask. Its hash and its times are kept: GET /documents/${this.documentId}.`
  }
}
