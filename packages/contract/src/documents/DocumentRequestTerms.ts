/** What the members of requests for documents mean. */
import type { ParameterTerms } from "../requests/AreaReference.ts"
import { exampleId as id } from "../requests/Examples.ts"

export const documentRequestTerms = {
  "DocumentRequest.id": "The request, by its identifier.",
  "DocumentRequest.policyId": "The policy that it is about.",
  "DocumentRequest.branchId":
    "The branch on which it arose; absent where people ask, not the product.",
  "DocumentRequest.customerId": "The customer who is asked.",
  "DocumentRequest.kind":
    "What is asked for, by its kind in the product's `requestedDocuments`, or `OTHER`.",
  "DocumentRequest.label": "What is asked for, in the words that the customer reads.",
  "DocumentRequest.note": "What the customer is told besides.",
  "DocumentRequest.dueOn": "The day by which it is wanted. Nothing happens by itself on that day.",
  "DocumentRequest.status":
    "`OPEN` until a file comes, then `RECEIVED` until it was scanned: `FULFILLED` if it is clean, else `OPEN` again. `CANCELLED`: it is asked for no longer.",
  "DocumentRequest.documentId": "The file that has come.",
  "DocumentRequest.author": "The person who asks; absent where the product does.",
  "DocumentRequest.createdAt": "When it was asked for, in UTC.",
  "DocumentRequest.receivedAt": "When the file came, in UTC.",
  "DocumentRequest.fulfilledAt": "When the file was found clean, in UTC.",
  "DocumentRequest.cancelledAt": "When it was cancelled, in UTC.",
  "AskForDocument.kind":
    "What is asked for: a kind of the product's `requestedDocuments`, or `OTHER`, which needs a `note`.",
  "AskForDocument.customerId": "The customer who is asked; on the policy.",
  "AskForDocument.note": "What they are told besides; of `OTHER` it says what is asked for.",
  "AskForDocument.dueOn": "The day by which it is wanted.",
  "DocumentRequestClosed.details.status": "The state of the request.",
  "DocumentRequestNotFound.details.documentRequestId": "The request that was asked for."
}

/** What the parameters of this area mean. */
export const documentRequestParameters: ParameterTerms = {
  documentRequestId: { means: "The request, by its identifier.", example: id("document_request") },
  "documentRequests.list.statuses": { means: "Only requests in these states." }
}
