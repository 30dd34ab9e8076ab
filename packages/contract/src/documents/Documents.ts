import { Document, DocumentId } from "@quittance/domain/documents/Document"
import { documentFilter, documentsFilter } from "@quittance/domain/documents/DocumentRequests"
import { PolicyId } from "@quittance/domain/values/Ids"
import { Page } from "@quittance/domain/values/Page"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, everyone, needs, people } from "../access/Access.ts"
import { policyErrors } from "../policies/PolicyErrors.ts"
import { reference } from "../requests/AreaReference.ts"
import { bearer } from "../requests/Bearer.ts"
import { pageQuery } from "../requests/Parameters.ts"
import { documentErrors } from "./DocumentErrors.ts"
import { documentParameters, documentTerms } from "./DocumentTerms.ts"

export const DocumentPage = Page(Document).annotate({ identifier: "DocumentPage" })

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
        query: { ...pageQuery, ...documentFilter },
        success: DocumentPage,
        error: policyErrors.PolicyNotFound
      })
        .annotateMerge(access({ scope: "platform/documents", callers: people }))
        .annotateMerge(needs("document.read", "RECORD"))
        .annotate(OpenApi.Summary, "List the documents of a policy"),
      HttpApiEndpoint.get("get", "/documents/:documentId", {
        params: { documentId: DocumentId },
        success: Document,
        error: documentErrors.DocumentNotFound
      })
        .annotateMerge(needs("document.read", "RECORD"))
        .annotate(OpenApi.Summary, "Read what a document is"),
      HttpApiEndpoint.get("content", "/documents/:documentId/content", {
        params: { documentId: DocumentId },
        success: Schema.Uint8Array.pipe(
          HttpApiSchema.asUint8Array({ contentType: "application/pdf" })
        ),
        error: [
          documentErrors.DocumentErased,
          documentErrors.DocumentNotFound,
          documentErrors.DocumentNotReady
        ]
      })
        .annotateMerge(needs("document.read", "RECORD"))
        .annotate(OpenApi.Summary, "Read the bytes of a document")
        .annotate(
          OpenApi.Description,
          "A document that has no bytes yet is made now. `etag` is its SHA-256; `range` and `if-none-match` are understood."
        )
    )
    .annotateMerge(access({ scope: "platform/documents", callers: everyone }))
    .annotateMerge(
      reference({ errors: documentErrors, terms: documentTerms, parameters: documentParameters })
    )
    .annotateMerge(
      OpenApi.annotations({
        title: "Documents",
        description: "Quotes, contracts and invoices as files."
      })
    )
) {}
