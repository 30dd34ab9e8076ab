import {
  AskForDocument,
  DocumentRequest,
  documentRequestFilter,
  DocumentRequestId
} from "@quittance/domain/documents/requests/DocumentRequest"
import { PolicyId } from "@quittance/domain/values/Ids"
import { Page } from "@quittance/domain/values/Page"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, idempotent, needs, people, RequestExample } from "../access/Access.ts"
import { policyErrors } from "../policies/PolicyErrors.ts"
import { reference } from "../requests/AreaReference.ts"
import { bearer } from "../requests/Bearer.ts"
import { exampleId } from "../requests/Examples.ts"
import { NoMembers, pageQuery, triedQuery, writeHeaders } from "../requests/Parameters.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import { documentErrors } from "./DocumentErrors.ts"
import { UnsentLetterPage } from "./DocumentPages.ts"
import { documentRequestParameters, documentRequestTerms } from "./DocumentRequestTerms.ts"

export const DocumentRequestPage = Page(DocumentRequest).annotate({
  identifier: "DocumentRequestPage"
})

const onPolicy = { params: { policyId: PolicyId } }
const repeated = [requestErrors.IdempotencyKeyInUse, requestErrors.IdempotencyKeyReused] as const

export class DocumentRequests extends bearer(
  HttpApiGroup.make("documentRequests")
    .add(
      HttpApiEndpoint.get("list", "/documents/policies/:policyId/requests", {
        ...onPolicy,
        query: { ...pageQuery, ...documentRequestFilter },
        success: DocumentRequestPage,
        error: policyErrors.PolicyNotFound
      })
        .annotateMerge(needs("document.read", "RECORD"))
        .annotate(OpenApi.Summary, "List what customers of a policy are asked to bring")
        .annotate(
          OpenApi.Description,
          "The latest first. Customers see what is asked of them, those who work on the policy all of it."
        ),
      HttpApiEndpoint.post("open", "/documents/policies/:policyId/requests", {
        ...onPolicy,
        query: triedQuery,
        headers: writeHeaders,
        payload: AskForDocument,
        success: DocumentRequest.pipe(HttpApiSchema.status(201)),
        error: [policyErrors.PolicyNotFound, requestErrors.InvalidReference, ...repeated]
      })
        .annotateMerge(needs("document.write", "RECORD"))
        .annotateMerge(idempotent)
        .annotate(RequestExample, {
          kind: "OTHER",
          customerId: exampleId("customer"),
          note: "The registration certificate of the vehicle, both sides"
        })
        .annotate(OpenApi.Summary, "Ask a customer for a document"),
      HttpApiEndpoint.get("listUnsentLetters", "/documents/requests/:documentRequestId/letters", {
        params: { documentRequestId: DocumentRequestId },
        query: pageQuery,
        success: UnsentLetterPage,
        error: [policyErrors.PolicyNotFound, documentErrors.DocumentRequestNotFound]
      })
        .annotateMerge(needs("internalDocument.read", "RECORD"))
        .annotate(OpenApi.Summary, "List letters that ask for a document and have not left")
        .annotate(
          OpenApi.Description,
          "One at most. One that is `NOT_SENT` says why, and stays so while the request is open: ask the customer otherwise."
        ),
      HttpApiEndpoint.post("cancel", "/documents/requests/:documentRequestId/cancel", {
        params: { documentRequestId: DocumentRequestId },
        query: triedQuery,
        headers: writeHeaders,
        payload: NoMembers,
        success: DocumentRequest,
        error: [
          policyErrors.PolicyNotFound,
          documentErrors.DocumentRequestClosed,
          documentErrors.DocumentRequestNotFound,
          ...repeated
        ]
      })
        .annotateMerge(needs("document.write", "RECORD"))
        .annotateMerge(idempotent)
        .annotate(OpenApi.Summary, "Cancel a request for a document")
        .annotate(
          OpenApi.Description,
          "A file that has come for it stays on the policy. What the product requires before a step stays required."
        )
    )
    .annotateMerge(access({ scope: "platform/documents", callers: people }))
    .annotateMerge(
      reference({
        errors: documentErrors,
        terms: documentRequestTerms,
        parameters: documentRequestParameters
      })
    )
    .annotateMerge(
      OpenApi.annotations({
        title: "Requests for documents",
        description: "What customers are asked to bring, and what has come."
      })
    )
) {}
