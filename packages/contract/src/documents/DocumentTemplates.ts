import {
  DocumentFile,
  maximumFile,
  UploadDocumentFile
} from "@quittance/domain/documents/DocumentFile"
import {
  PreviewTemplate,
  PublishedTemplate,
  TemplateDocument
} from "@quittance/domain/documents/TemplateVersions"
import {
  TemplateId,
  TemplateVersion
} from "@quittance/domain/products/documents/DocumentDefinition"
import { Page } from "@quittance/domain/values/Page"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, idempotent, needs, RequestExample, unkeyed } from "../access/Access.ts"
import { productErrors } from "../products/ProductErrors.ts"
import { reference } from "../requests/AreaReference.ts"
import { bearer } from "../requests/Bearer.ts"
import { pageQuery, triedQuery, writeHeaders } from "../requests/Parameters.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import { documentErrors } from "./DocumentErrors.ts"
import { templateParameters, templateTerms } from "./TemplateTerms.ts"

export const TemplatePage = Page(PublishedTemplate).annotate({ identifier: "TemplatePage" })

const onTemplate = { params: { templateId: TemplateId } }

/** Of a form with a file: as large as a file may be, and a little for what is around it. */
const formLimits = {
  maxParts: 2,
  maxFieldSize: 4096,
  maxFileSize: maximumFile + 65_536,
  maxTotalSize: maximumFile + 65_536
}

export class DocumentTemplates extends bearer(
  HttpApiGroup.make("documentTemplates")
    .add(
      HttpApiEndpoint.put("publish", "/admin/document-templates/:templateId", {
        ...onTemplate,
        query: triedQuery,
        headers: writeHeaders,
        payload: TemplateDocument,
        success: PublishedTemplate.pipe(HttpApiSchema.status(201)),
        error: [
          documentErrors.InvalidTemplate,
          documentErrors.TemplateInUse,
          requestErrors.IdempotencyKeyInUse,
          requestErrors.IdempotencyKeyReused
        ]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("template.write", "TENANT"))
        .annotate(RequestExample, {
          templateId: "farewell-fr",
          version: "2026.1",
          locale: "fr-FR",
          layout: "letter",
          title: "Fin de votre contrat {{policy.number}}",
          sender: ["{{tenant.name}}"],
          recipient: ["{{holder.name}}", "{{holder.address}}"],
          draft: "Projet",
          blocks: [
            {
              kind: "paragraph",
              text: "Votre contrat prend fin le {{policy.endsOn|longDate}}. **Merci de votre confiance.**"
            }
          ]
        })
        .annotate(OpenApi.Summary, "Publish a version of a template")
        .annotate(
          OpenApi.Description,
          "Documents are made of it where a version of a product names it. A published version never changes; the same text again changes nothing."
        ),
      HttpApiEndpoint.get("get", "/admin/document-templates/:templateId", {
        ...onTemplate,
        query: { version: Schema.optionalKey(TemplateVersion) },
        success: TemplateDocument,
        error: documentErrors.TemplateNotFound
      })
        .annotateMerge(needs("template.read", "TENANT"))
        .annotate(OpenApi.Summary, "Read a template"),
      HttpApiEndpoint.get("versions", "/admin/document-templates/:templateId/versions", {
        ...onTemplate,
        query: pageQuery,
        success: TemplatePage,
        error: documentErrors.TemplateNotFound
      })
        .annotateMerge(needs("template.read", "TENANT"))
        .annotate(OpenApi.Summary, "List the versions of a template, the newest first"),
      HttpApiEndpoint.post("preview", "/admin/document-templates/:templateId/preview", {
        ...onTemplate,
        payload: PreviewTemplate,
        success: Schema.Uint8Array.pipe(
          HttpApiSchema.asUint8Array({ contentType: "application/pdf" })
        ),
        error: [
          documentErrors.InvalidTemplate,
          documentErrors.TemplateNotFound,
          productErrors.ProductNotFound
        ]
      })
        .annotateMerge(unkeyed)
        .annotateMerge(needs("template.read", "TENANT"))
        .annotate(RequestExample, { productId: "motor-fr", on: "CONFIRMED" })
        .annotate(OpenApi.Summary, "See a template with the examples of a product")
        .annotate(
          OpenApi.Description,
          "A PDF that is marked as an example. Nothing is kept of it."
        ),
      HttpApiEndpoint.post("addFile", "/admin/document-files", {
        payload: UploadDocumentFile.pipe(HttpApiSchema.asMultipartStream(formLimits)),
        success: DocumentFile.pipe(HttpApiSchema.status(201)),
        error: documentErrors.UploadRejected
      })
        // The bytes say which file it is: the same ones again do nothing.
        .annotateMerge(unkeyed)
        .annotateMerge(needs("template.write", "TENANT"))
        .annotate(RequestExample, { file: "(the bytes)" })
        .annotate(OpenApi.Summary, "Add a file that products and templates name")
        .annotate(
          OpenApi.Description,
          "A PDF, JPEG or PNG of at most 25 MiB. Products name it as the source of a document, templates as an image: by its SHA-256."
        )
    )
    .annotateMerge(access({ scope: "platform/admin", callers: ["Client", "User"] }))
    .annotateMerge(
      reference({ errors: documentErrors, terms: templateTerms, parameters: templateParameters })
    )
    .annotateMerge(
      OpenApi.annotations({
        title: "Document templates",
        description: "Templates of documents, and the files that they and products name."
      })
    )
) {}
