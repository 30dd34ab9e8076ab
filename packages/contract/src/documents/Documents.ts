import { Delivery } from "@quittance/domain/documents/Delivery"
import { Document, DocumentId } from "@quittance/domain/documents/Document"
import {
  DocumentLink,
  DocumentLinkId,
  MakeDocumentLink
} from "@quittance/domain/documents/DocumentLink"
import {
  documentFilter,
  documentsFilter,
  documentView,
  RecordDelivery,
  RequestDocument,
  UploadFile,
  VoidDocument
} from "@quittance/domain/documents/DocumentRequests"
import { PolicyId } from "@quittance/domain/values/Ids"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  access,
  everyone,
  idempotent,
  needs,
  people,
  RequestExample,
  uploads
} from "../access/Access.ts"
import { policyErrors } from "../policies/PolicyErrors.ts"
import { reference } from "../requests/AreaReference.ts"
import { bearer } from "../requests/Bearer.ts"
import {
  NoMembers,
  pageQuery,
  triedQuery,
  writeHeaders,
  writeQuery
} from "../requests/Parameters.ts"
import { exampleId } from "../requests/Examples.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import { DeliveryPage, DocumentLinkPage, DocumentPage, UnsentLetterPage } from "./DocumentPages.ts"
import { documentErrors, uploadErrors } from "./DocumentErrors.ts"
import { documentParameters, documentTerms } from "./DocumentTerms.ts"
import { formLimits } from "./UploadFormLimits.ts"

const onDocument = { params: { documentId: DocumentId } }
const repeated = [requestErrors.IdempotencyKeyInUse, requestErrors.IdempotencyKeyReused] as const
const withoutBytes = [
  documentErrors.DocumentErased,
  documentErrors.DocumentNotFound,
  documentErrors.DocumentNotReady
] as const

const changed = {
  query: triedQuery,
  headers: writeHeaders,
  success: Document,
  error: [documentErrors.DocumentNotFound, requestErrors.InvalidTransition, ...repeated]
} as const

export class Documents extends bearer(
  HttpApiGroup.make("documents")
    .add(
      HttpApiEndpoint.get("list", "/documents", {
        query: { ...pageQuery, ...documentsFilter },
        success: DocumentPage
      })
        .annotateMerge(needs("document.read", "ANYWHERE"))
        .annotate(OpenApi.Summary, "List documents"),
      HttpApiEndpoint.get("listByPolicy", "/documents/policies/:policyId", {
        params: { policyId: PolicyId },
        query: { ...pageQuery, ...documentFilter, ...documentView },
        success: DocumentPage,
        error: [policyErrors.PolicyNotFound, requestErrors.InvalidEffectiveDate]
      })
        .annotateMerge(access({ scope: "platform/documents", callers: people }))
        .annotateMerge(needs("document.read", "RECORD"))
        .annotate(OpenApi.Summary, "List the documents of a policy")
        .annotate(
          OpenApi.Description,
          "Those in force first. With `whenAt` those in force then, with `branchId` those of a branch, with `knownAt` what the list said then."
        ),
      HttpApiEndpoint.post("request", "/documents/policies/:policyId", {
        params: { policyId: PolicyId },
        query: triedQuery,
        headers: writeHeaders,
        payload: RequestDocument,
        success: Document.pipe(HttpApiSchema.status(201)),
        error: [
          policyErrors.PolicyNotFound,
          documentErrors.CertificateNotAvailable,
          requestErrors.InvalidReference,
          ...repeated
        ]
      })
        .annotateMerge(access({ scope: "platform/documents", callers: people }))
        .annotateMerge(needs("document.write", "RECORD"))
        .annotateMerge(idempotent)
        .annotate(RequestExample, { definitionId: "CERTIFICATE", assetId: exampleId("asset") })
        .annotate(OpenApi.Summary, "Ask for a document, such as a certificate")
        .annotate(
          OpenApi.Description,
          "A certificate names the unbroken run of paid days that today lies in, and stays what it is when they end."
        ),
      HttpApiEndpoint.post("upload", "/documents/policies/:policyId/uploads", {
        params: { policyId: PolicyId },
        query: writeQuery,
        headers: writeHeaders,
        payload: UploadFile.pipe(HttpApiSchema.asMultipartStream(formLimits)),
        success: Document.pipe(HttpApiSchema.status(201)),
        error: [policyErrors.PolicyNotFound, ...uploadErrors, ...repeated]
      })
        .annotateMerge(access({ scope: "platform/documents", callers: people }))
        .annotateMerge(needs("document.upload", "RECORD"))
        .annotateMerge(idempotent)
        .annotateMerge(uploads)
        .annotate(RequestExample, {
          kind: "UPLOAD",
          title: "Driving licence",
          file: "(the bytes)"
        })
        .annotate(OpenApi.Summary, "Add a file to a policy")
        .annotate(
          OpenApi.Description,
          "At most 25 MiB. Its type is read from its bytes and has to be the one that its part declares. It can't be read until it was scanned for malware."
        ),
      HttpApiEndpoint.get("get", "/documents/:documentId", {
        params: { documentId: DocumentId },
        success: Document,
        error: documentErrors.DocumentNotFound
      })
        .annotateMerge(needs("document.read", "RECORD"))
        .annotate(OpenApi.Summary, "Read a document's record"),
      HttpApiEndpoint.get("content", "/documents/:documentId/content", {
        params: { documentId: DocumentId },
        success: Schema.Uint8Array.pipe(
          HttpApiSchema.asUint8Array({ contentType: "application/pdf" })
        ),
        error: withoutBytes
      })
        .annotateMerge(needs("document.read", "RECORD"))
        .annotate(OpenApi.Summary, "Read the bytes of a document")
        .annotate(
          OpenApi.Description,
          "A document that has no bytes yet is made now. `etag` is its SHA-256; `range` and `if-none-match` are understood. What a customer reads for the first time is a delivery."
        ),
      HttpApiEndpoint.get("data", "/documents/:documentId/data", {
        ...onDocument,
        success: Schema.Json.annotate({ identifier: "DocumentData" }),
        error: withoutBytes
      })
        .annotateMerge(needs("document.read", "RECORD"))
        .annotate(OpenApi.Summary, "Read the data that a document was made of")
        .annotate(
          OpenApi.Description,
          "The same that lies in the file as `data.json`, after /schemas/document-model.json. Files that were not made of a template carry none: 404."
        ),
      HttpApiEndpoint.post("retry", "/documents/:documentId/retry", {
        ...onDocument,
        ...changed,
        payload: NoMembers
      })
        .annotateMerge(access({ scope: "platform/documents", callers: people }))
        .annotateMerge(needs("document.write", "RECORD"))
        .annotateMerge(idempotent)
        .annotate(OpenApi.Summary, "Have a document made again that has failed"),
      HttpApiEndpoint.post("void", "/documents/:documentId/void", {
        ...onDocument,
        ...changed,
        payload: VoidDocument
      })
        .annotateMerge(access({ scope: "platform/documents", callers: people }))
        .annotateMerge(needs("document.write", "RECORD"))
        .annotateMerge(idempotent)
        .annotate(RequestExample, { reason: "It names the driver who left in May." })
        .annotate(OpenApi.Summary, "Withdraw a document")
        .annotate(OpenApi.Description, "Its bytes stay for those who could read them."),
      HttpApiEndpoint.get("listDeliveries", "/documents/:documentId/deliveries", {
        ...onDocument,
        query: pageQuery,
        success: DeliveryPage,
        error: withoutBytes
      })
        .annotateMerge(access({ scope: "platform/documents", callers: people }))
        .annotateMerge(needs("internalDocument.read", "RECORD"))
        .annotate(OpenApi.Summary, "List who was given a document, the latest first"),
      HttpApiEndpoint.get("listUnsentLetters", "/documents/:documentId/letters", {
        ...onDocument,
        query: pageQuery,
        success: UnsentLetterPage,
        error: documentErrors.DocumentNotFound
      })
        .annotateMerge(access({ scope: "platform/documents", callers: people }))
        .annotateMerge(needs("internalDocument.read", "RECORD"))
        .annotate(OpenApi.Summary, "List letters with a document that have not left")
        .annotate(
          OpenApi.Description,
          "A letter that has left is a delivery. One that is `NOT_SENT` says why, and stays so: hand the document over otherwise."
        ),
      HttpApiEndpoint.post("recordDelivery", "/documents/:documentId/deliveries", {
        ...onDocument,
        query: triedQuery,
        headers: writeHeaders,
        payload: RecordDelivery,
        success: Delivery.pipe(HttpApiSchema.status(201)),
        error: [
          ...withoutBytes,
          ...repeated,
          requestErrors.InvalidEffectiveDate,
          requestErrors.InvalidReference
        ]
      })
        .annotateMerge(access({ scope: "platform/documents", callers: people }))
        .annotateMerge(needs("document.write", "RECORD"))
        .annotateMerge(idempotent)
        .annotate(RequestExample, { customerId: exampleId("customer"), channel: "PAPER" })
        .annotate(OpenApi.Summary, "Record that a document was handed over")
        .annotate(
          OpenApi.Description,
          "What customers read by their own token or link needs no record by hand."
        ),
      HttpApiEndpoint.post("makeLink", "/documents/:documentId/links", {
        ...onDocument,
        query: triedQuery,
        headers: writeHeaders,
        payload: MakeDocumentLink,
        success: DocumentLink.pipe(HttpApiSchema.status(201)),
        error: [
          ...withoutBytes,
          ...repeated,
          documentErrors.TooManyDocumentLinks,
          requestErrors.InvalidReference
        ]
      })
        .annotateMerge(access({ scope: "platform/documents", callers: people }))
        .annotateMerge(needs("document.read", "RECORD"))
        .annotateMerge(idempotent)
        .annotate(RequestExample, { expiresIn: 86_400, customerId: exampleId("customer") })
        .annotate(OpenApi.Summary, "Make a link that opens a document without a sign-in")
        .annotate(
          OpenApi.Description,
          "`GET` of it shows a page and changes nothing; its button answers the bytes, and each opening is on record. At most 100 links of a document work at a time."
        ),
      HttpApiEndpoint.get("listLinks", "/documents/:documentId/links", {
        ...onDocument,
        query: pageQuery,
        success: DocumentLinkPage,
        error: documentErrors.DocumentNotFound
      })
        .annotateMerge(access({ scope: "platform/documents", callers: people }))
        .annotateMerge(needs("document.read", "RECORD"))
        .annotate(OpenApi.Summary, "List the links of a document that work, the latest first")
        .annotate(
          OpenApi.Description,
          "Customers see those that are for them. What opens a document is in none of them."
        ),
      HttpApiEndpoint.delete("revokeLink", "/documents/links/:documentLinkId", {
        params: { documentLinkId: DocumentLinkId },
        query: triedQuery,
        headers: writeHeaders,
        success: HttpApiSchema.NoContent,
        error: [documentErrors.DocumentLinkNotFound, documentErrors.DocumentNotFound, ...repeated]
      })
        .annotateMerge(access({ scope: "platform/documents", callers: people }))
        .annotateMerge(needs("document.read", "RECORD"))
        .annotateMerge(idempotent)
        .annotate(OpenApi.Summary, "Withdraw a link"),
      HttpApiEndpoint.post("acknowledge", "/documents/:documentId/acknowledge", {
        ...onDocument,
        query: triedQuery,
        headers: writeHeaders,
        payload: NoMembers,
        success: Document,
        error: [...withoutBytes, ...repeated]
      })
        .annotateMerge(access({ scope: "platform/documents", callers: people }))
        .annotateMerge(needs("document.read", "RECORD"))
        .annotateMerge(idempotent)
        .annotate(OpenApi.Summary, "Say, as the customer, that one has a document")
        .annotate(
          OpenApi.Description,
          "Those who see internal documents of the policy work on it, and can't say so for the customer: 403."
        )
    )
    .annotateMerge(access({ scope: "platform/documents", callers: everyone }))
    .annotateMerge(
      reference({ errors: documentErrors, terms: documentTerms, parameters: documentParameters })
    )
    .annotateMerge(
      OpenApi.annotations({
        title: "Documents",
        description: "Quotes, contracts and invoices as files, and files that people add."
      })
    )
) {}
