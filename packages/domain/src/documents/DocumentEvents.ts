/** The events of documents: each is counted under its document. */
import { DocumentKind } from "../products/documents/DocumentDefinition.ts"
import { type EventType, eventType } from "../requests/Event.ts"
import { CustomerId, PolicyId } from "../values/Ids.ts"
import { type Document, DocumentFailure, DocumentId } from "./Document.ts"

const document = { documentId: DocumentId, policyId: PolicyId, kind: DocumentKind }

export const documentEvents = {
  /** Its bytes are there. */
  "document.ready": eventType("document.ready", document),
  /** It could not be made. */
  "document.failed": eventType("document.failed", {
    ...document,
    reason: DocumentFailure.fields.reason
  }),
  /** It was added by people, and is not taken. */
  "document.rejected": eventType("document.rejected", {
    ...document,
    reason: DocumentFailure.fields.reason
  }),
  /** A customer has opened it for the first time. */
  "document.opened": eventType("document.opened", { ...document, customerId: CustomerId })
} satisfies Record<string, EventType>

/** What has become of a document, as it is told. */
export const documentHappening = (
  kind: "document.failed" | "document.ready" | "document.rejected",
  { failure, id, kind: is, policyId }: Pick<Document, "failure" | "id" | "kind" | "policyId">
) => ({
  kind,
  subject: id,
  payload: {
    documentId: id,
    policyId,
    kind: is,
    ...(failure === undefined ? {} : { reason: failure.reason })
  }
})

/** That a customer has opened a document, as it is told. */
export const documentOpened = (
  { id, kind, policyId }: Pick<Document, "id" | "kind" | "policyId">,
  customerId: CustomerId
) => ({
  kind: "document.opened" as const,
  subject: id,
  payload: { documentId: id, policyId, kind, customerId }
})
