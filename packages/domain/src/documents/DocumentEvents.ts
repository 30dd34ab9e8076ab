/** The events of documents: each is counted under its document. */
import { DocumentKind } from "../products/documents/DocumentDefinition.ts"
import { type EventType, eventType } from "../requests/Event.ts"
import { PolicyId } from "../values/Ids.ts"
import { DocumentFailure, DocumentId } from "./Document.ts"

const document = { documentId: DocumentId, policyId: PolicyId, kind: DocumentKind }

export const documentEvents = {
  /** Its bytes are there. */
  "document.ready": eventType("document.ready", document),
  /** It could not be made. */
  "document.failed": eventType("document.failed", {
    ...document,
    reason: DocumentFailure.fields.reason
  })
} satisfies Record<string, EventType>
