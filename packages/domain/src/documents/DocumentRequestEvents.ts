/** The events of requests for documents: each is counted under its request. */
import { Name } from "../products/ProductRating.ts"
import { type EventType, eventType } from "../requests/Event.ts"
import { CustomerId, PolicyId } from "../values/Ids.ts"
import { DocumentId } from "./Document.ts"
import { type DocumentRequest, DocumentRequestId } from "./requests/DocumentRequest.ts"

const request = {
  documentRequestId: DocumentRequestId,
  policyId: PolicyId,
  customerId: CustomerId,
  kind: Name
}
const withFile = { ...request, documentId: DocumentId }

export const documentRequestEvents = {
  /** A customer is asked for a document. */
  "document_request.opened": eventType("document_request.opened", request),
  /** The file that came for it was found clean. */
  "document_request.fulfilled": eventType("document_request.fulfilled", withFile),
  /** The file that came for it was rejected: it takes another one. */
  "document_request.reopened": eventType("document_request.reopened", withFile),
  /** It is asked for no longer. */
  "document_request.cancelled": eventType("document_request.cancelled", request)
} satisfies Record<string, EventType>

/** What has become of a request, as it is told; with the file where one has come. */
export const requestHappening = (
  kind: keyof typeof documentRequestEvents,
  request: Pick<DocumentRequest, "customerId" | "documentId" | "id" | "kind" | "policyId">
) => {
  const { customerId, documentId, id, kind: asked, policyId } = request
  const file = documentId === undefined ? {} : { documentId }
  return {
    kind,
    subject: id,
    payload: { documentRequestId: id, policyId, customerId, kind: asked, ...file }
  }
}
