/** What the members of documents mean. */
import type { ParameterTerms } from "../requests/AreaReference.ts"
import { exampleId as id } from "../requests/Examples.ts"

export const documentTerms = {
  "Document.id": "The document, by its identifier.",
  "Document.kind": "The type of the document.",
  "Document.title": "The title in lists.",
  "Document.origin":
    "Where its bytes come from: `GENERATED` of a template, `STATIC` of a file of the product, `UPLOADED` by people. `SEALED`: what was signed, with the seal of the tenant. `EVIDENCE` is not in use yet.",
  "Document.status":
    "`PENDING` until its bytes are first asked for, then `READY`. `FAILED` where it could not be made, `VOID` where its offer has changed. An upload is `QUARANTINED` until it was scanned for malware, then `READY` or `REJECTED`. `ERASED`: its bytes were destroyed.",
  "Document.version":
    "Counts the documents of one definition on one branch from 1; those of invoices for each invoice.",
  "Document.policyId": "The policy that it is about.",
  "Document.branchId":
    "The branch on whose data it is made; absent for an upload, as all members about a template.",
  "Document.customerId": "The customer it is for; absent where it is for all of the policy.",
  "Document.assetId": "The thing insured that it is for; absent where it is for all of the policy.",
  "Document.formalNoticeId": "The formal notice that it is.",
  "Document.sourceDocumentId": "Of a sealed document: the document whose bytes it begins with.",
  "Document.number":
    "Of an endorsement in force: it counts those of the policy from 1, without a gap.",
  inForceAt: "When it comes into force, in UTC; absent for an offer.",
  "Document.endedAt":
    "When it was recorded that it no longer holds, in UTC: its change was reverted, or its stop undone.",
  replaces: "The document of the same definition that was in force before it.",
  replacedBy: "The document of the same definition that is in force after it.",
  voidedAt: "When it became void, in UTC.",
  "Document.invoiceId": "The invoice or credit note that it shows.",
  definitionId: "Which of the product's documents it is.",
  "Document.trigger": "The event or record that it was made for.",
  "Document.visibility": "Whether the people on the policy see it.",
  mediaType: "The media type of its bytes.",
  "Document.effectiveAt": "The business time of the event that it was made for, in UTC.",
  "Document.knownAt": "Its data are what was known of the policy then, in UTC.",
  "Document.product": "The version of the product whose document it is.",
  "Document.product.id": "The product, by its identifier.",
  "Document.product.version": "The product's version.",
  "Document.template": "The version of the template that it is made of.",
  "Document.template.id": "The template, by its identifier.",
  "Document.template.version": "The template's version.",
  renderer: "The program that made it; the same one makes the same bytes of the same data.",
  sha256: "The SHA-256 of its bytes, in hexadecimal.",
  "Document.size": "Its bytes.",
  pages: "Its pages; of a PDF alone.",
  "Document.createdAt": "When it became due, in UTC.",
  readyAt: "Since when its bytes can be read, in UTC; absent until then.",
  "Document.failure": "Why it could not be made, or was not taken.",
  "Document.author": "The person or client that added it; absent where the service made it.",
  "DocumentAuthor.kind": "The kind of caller.",
  "DocumentAuthor.id": "The caller: a user, an anonymous session, or a client.",
  "DocumentFailure.reason": "The fault.",
  paths: "The values that are wrong or missing, by their paths in the document's data.",
  "Delivery.id": "The delivery, by its identifier.",
  "Delivery.documentId": "The document that the customer was given.",
  "Delivery.sha256": "The SHA-256 of the bytes that they were given, in hexadecimal.",
  "Delivery.customerId": "The customer who was given it.",
  "Delivery.channel":
    "How: `SCREEN` by a program in which they act, `LINK` by a link that works without a token, by `EMAIL` or on `PAPER`.",
  "Delivery.level":
    "`SENT`: a link to it was sent, which proves nothing until it is opened. `DELIVERED`: it was handed over; `OPENED`: they have read it themselves; `ACKNOWLEDGED`: they have said that they have it.",
  "Delivery.at": "When that was, in UTC.",
  "Delivery.recordedAt":
    "When it was recorded, in UTC. That counts where it had to be before a step.",
  "Delivery.actor":
    "Who has recorded it: the customer themselves, others for them, or the service (`JOB`) for a letter.",
  "Delivery.address": "The address that the request came from.",
  "Delivery.userAgent": "The program that has sent the request.",
  "UnsentLetter.customerId": "The customer whom it is for.",
  "UnsentLetter.status":
    "`WAITING`: it is sent soon, or tried again. `NOT_SENT`: the service sends it no more.",
  "UnsentLetter.reason":
    "Why it is not sent. `LIMIT`: the address has had 20 letters within a day that visitors can cause. `NO_ADDRESS`: the customer has none. `ADDRESS`: the mail server knows no such address. `TRIES`: it was tried ten times.",
  "UnsentLetter.attempts": "How often it was tried.",
  "DocumentLink.id": "The link, by its identifier.",
  "DocumentLink.documentId": "The document that it opens.",
  "DocumentLink.url": "The address to send. A person who has it can open the document.",
  "DocumentLink.expiresAt": "When it ends, in UTC.",
  "DocumentLink.once": "Whether it opens the document a single time.",
  "DocumentLink.customerId": "The customer whose opening it proves; absent where it proves none.",
  "LiveDocumentLink.id": "The link, by its identifier.",
  "LiveDocumentLink.documentId": "The document that it opens.",
  "LiveDocumentLink.expiresAt": "When it ends, in UTC.",
  "LiveDocumentLink.once": "Whether it opens the document a single time.",
  "LiveDocumentLink.customerId":
    "The customer whose opening it proves; absent where it proves none.",
  "LiveDocumentLink.author": "Who has made it; `JOB` for the link of a letter.",
  "LiveDocumentLink.createdAt": "When it was made, in UTC.",
  "LiveDocumentLink.openedAt": "When it was first opened, in UTC; absent until then.",
  "MakeDocumentLink.expiresIn": "Seconds that it lasts; 900 unless it is said.",
  "MakeDocumentLink.once": "Whether it opens the document a single time; default: no.",
  "MakeDocumentLink.customerId":
    "The customer it is sent to, whose opening it then proves. Customers who make one are that customer.",
  "TooManyDocumentLinks.details.maximum":
    "The number of links of a document that may work at a time.",
  "DocumentLinkNotFound.details.linkId": "The link that was asked for.",
  "RecordDelivery.channel":
    "How: `SCREEN`, by `EMAIL` or on `PAPER`. `LINK`: by a link that was made for them. That proves nothing yet; a link records by itself that it was opened.",
  "RecordDelivery.customerId": "The customer who was given it; on the document's policy.",
  "RecordDelivery.at":
    "When that was; now unless it is said, and not before the document had bytes.",
  voidReason: "The reason why people have withdrawn it; absent where its offer has changed.",
  "RequestDocument.definitionId":
    "The product's definition of the document: one that is made `ON_DEMAND`.",
  "RequestDocument.customerId":
    "The customer it is for, where there is one for each customer or payer.",
  "RequestDocument.assetId":
    "The thing insured it is for, where there is one for each thing insured.",
  "VoidDocument.reason": "The fault of the document; those who see the document see that too.",
  "CertificateNotAvailable.details.reason": "Why no day can be certified.",
  "UploadFile.kind": "The type of the file.",
  "UploadFile.requestId": "The request that the file is for: an open one of the same policy.",
  "UploadFile.title": "The title in lists; default: the name of the file.",
  file: "The file: a PDF, a JPEG, PNG, WebP, TIFF or HEIC picture, plain text or CSV.",
  "UploadRejected.details.reason": "Why the file is not taken.",
  "details.documentId": "The document that was asked for.",
  "DocumentNotReady.details.status": "The document's state.",
  "details.failure": "Why it could not be made, or was not taken; absent while it is judged."
}

/** What the parameters of this area mean. */
export const documentParameters: ParameterTerms = {
  documentLinkId: { means: "The link, by its identifier.", example: id("document_link") },
  documentId: { means: "The document, by its identifier.", example: id("document") },
  "documents.list.createdAfter": {
    means: "Only documents that became due at this instant or later."
  },
  "documents.list.createdBefore": { means: "Only documents that became due before this instant." },
  "documents.listByPolicy.whenAt": {
    means: "Only documents that are in force at this instant."
  },
  "documents.listByPolicy.branchId": { means: "Only documents of this branch." },
  "documents.listByPolicy.knownAt": { means: "The list as it was at this instant." },
  "documents.list.policyId": { means: "Only documents of this policy." },
  "documents.list.statuses": { means: "Only documents in these states." },
  "documents.listByPolicy.statuses": { means: "Only documents in these states." },
  kinds: { means: "Only documents of these kinds." }
}
