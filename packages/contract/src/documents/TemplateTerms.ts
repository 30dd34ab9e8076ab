/** What the members of templates and of files of products mean. */
import type { ParameterTerms } from "../requests/AreaReference.ts"

export const templateTerms = {
  templateId: "The template, by its identifier.",
  "PublishedTemplate.version": "The version, by its name.",
  "PublishedTemplate.origin":
    "`TENANT`: the tenant has published it; `RELEASE`: it comes with the service.",
  "PublishedTemplate.publishedAt":
    "When the tenant has published the version, in UTC; absent for one of the release.",
  "PreviewTemplate.productId": "The product whose examples are shown; of its newest version.",
  "PreviewTemplate.on": "The trigger that the document would be made for.",
  "PreviewTemplate.branchType":
    "The type of branch that it would be made on; every type unless it is said.",
  "PreviewTemplate.version": "The version of the template; default: the newest.",
  "UploadDocumentFile.file": "The file: a PDF, JPEG or PNG.",
  "DocumentFile.sha256": "The SHA-256 of its bytes, by which it is named.",
  "DocumentFile.size": "Its bytes.",
  "DocumentFile.mediaType": "The media type of its bytes.",
  "DocumentFile.pages": "Its pages; of a PDF alone.",
  "InvalidTemplate.details.issues": "Every fault that was found in the template.",
  "InvalidTemplate.details.issues.pointer": "The place of the fault, as a JSON pointer (RFC 6901).",
  "InvalidTemplate.details.issues.message": "How to mend it.",
  "TemplateInUse.details.templateId": "The template that has the version already.",
  "TemplateInUse.details.version": "The version that has another text.",
  "TemplateNotFound.details.templateId": "The template that was asked for."
}

export const templateParameters: ParameterTerms = {
  templateId: { means: "The template, by its identifier." },
  "documentTemplates.get.version": { means: "The version to read; default: the newest." }
}
