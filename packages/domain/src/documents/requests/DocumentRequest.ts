/** That a customer is asked for a document: what for, of whom, and what has become of it. */
import { Schema } from "effect"
import { Name } from "../../products/ProductRating.ts"
import { BranchId, CustomerId, PolicyId } from "../../values/Ids.ts"
import { Instant } from "../../values/Instant.ts"
import { LocalDate } from "../../values/LocalDate.ts"
import * as PrefixedId from "../../values/PrefixedId.ts"
import { Text } from "../../values/Text.ts"
import { DocumentAuthor, DocumentId } from "../Document.ts"

export const DocumentRequestId = PrefixedId.schema("document_request")
export type DocumentRequestId = typeof DocumentRequestId.Type

export const DocumentRequestStatus = Schema.Literals([
  /** It takes a file. */
  "OPEN",
  /** A file has come, and is not judged yet. */
  "RECEIVED",
  /** The file was found clean. */
  "FULFILLED",
  /** It is asked for no longer. */
  "CANCELLED"
])
export type DocumentRequestStatus = typeof DocumentRequestStatus.Type

export const DocumentRequest = Schema.Struct({
  id: DocumentRequestId,
  policyId: PolicyId,
  /** Of one that the product asks for: the branch on which it arose. */
  branchId: Schema.optionalKey(BranchId),
  /** Who is to bring it. */
  customerId: CustomerId,
  /** What is asked for, by its kind in the product's list, or `OTHER`. */
  kind: Name,
  /** The same in words that the customer reads. */
  label: Schema.String,
  note: Schema.optionalKey(Schema.String),
  dueOn: Schema.optionalKey(LocalDate),
  status: DocumentRequestStatus,
  /** The file that has come. */
  documentId: Schema.optionalKey(DocumentId),
  /** Who asks; absent where the product does. */
  author: Schema.optionalKey(DocumentAuthor),
  createdAt: Instant,
  receivedAt: Schema.optionalKey(Instant),
  fulfilledAt: Schema.optionalKey(Instant),
  cancelledAt: Schema.optionalKey(Instant)
}).annotate({ identifier: "DocumentRequest" })
export type DocumentRequest = typeof DocumentRequest.Type

/** What people ask a customer for. */
export const AskForDocument = Schema.Struct({
  kind: Name,
  customerId: CustomerId,
  /** What the customer is told besides; of `OTHER` it says what is asked for. */
  note: Schema.optionalKey(Text),
  dueOn: Schema.optionalKey(LocalDate)
}).annotate({ identifier: "AskForDocument" })
export type AskForDocument = typeof AskForDocument.Type

/** Which requests of a policy are asked for. */
export const documentRequestFilter = {
  statuses: Schema.optionalKey(Schema.Array(DocumentRequestStatus))
}
const Filter = Schema.Struct(documentRequestFilter)
export type DocumentRequestFilter = typeof Filter.Type

export class DocumentRequestNotFound extends Schema.TaggedError<DocumentRequestNotFound>()(
  "DocumentRequestNotFound",
  { documentRequestId: Schema.String }
) {
  override get message() {
    return `Request ${this.documentRequestId} does not exist; \`GET /documents/policies/{policyId}/requests\` lists those of a policy.`
  }
}

/** A request takes no file now, or can't be cancelled any more. */
export class DocumentRequestClosed extends Schema.TaggedError<DocumentRequestClosed>()(
  "DocumentRequestClosed",
  { status: DocumentRequestStatus }
) {
  override get message() {
    return adviceOf[this.status]
  }
}

const adviceOf: Readonly<Record<DocumentRequestStatus, string>> = {
  OPEN: "The request is open. Send the file again.",
  RECEIVED: "A file has come for the request and is being scanned. Wait until it was judged.",
  FULFILLED: "The request is fulfilled. Ask for the document again if another one is needed.",
  CANCELLED: "The request was cancelled. Ask for the document again if it is still needed."
}
