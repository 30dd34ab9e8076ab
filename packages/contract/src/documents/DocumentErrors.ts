/** The errors of the area documents on the wire. The last argument of each shows its details. */
import { CertificateNotAvailable } from "@quittance/domain/documents/CertificateNotAvailable"
import * as Document from "@quittance/domain/documents/Document"
import * as TemplateVersions from "@quittance/domain/documents/TemplateVersions"
import * as Upload from "@quittance/domain/documents/Upload"
import { exampleId as id } from "../requests/Examples.ts"
import { wireError } from "../requests/WireError.ts"

export const documentErrors = {
  CertificateNotAvailable: wireError(
    CertificateNotAvailable,
    409,
    "CERTIFICATE_NOT_AVAILABLE",
    "There are no days that are covered and paid for from today on.",
    { reason: "NOTHING_PAID" }
  ),
  DocumentErased: wireError(
    Document.DocumentErased,
    410,
    "DOCUMENT_ERASED",
    "The bytes of the document were destroyed.",
    { documentId: id("document") }
  ),
  DocumentNotFound: wireError(
    Document.DocumentNotFound,
    404,
    "DOCUMENT_NOT_FOUND",
    "The tenant has no such document, or it is not shown to the caller.",
    { documentId: id("document") }
  ),
  InvalidTemplate: wireError(
    TemplateVersions.InvalidTemplate,
    422,
    "INVALID_TEMPLATE",
    "A template has faults; `details.issues` lists each with its JSON pointer.",
    {
      issues: [
        {
          pointer: "/blocks/0/text",
          message: "Name another; the document model has nothing at policy.premium."
        }
      ]
    }
  ),
  TemplateInUse: wireError(
    TemplateVersions.TemplateInUse,
    409,
    "TEMPLATE_IN_USE",
    "The version is published with another text, and never changes.",
    { templateId: "contract-motor-fr", version: "2026.1" }
  ),
  TemplateNotFound: wireError(
    TemplateVersions.TemplateNotFound,
    404,
    "TEMPLATE_NOT_FOUND",
    "The path names no template of the tenant, or none in that version.",
    { templateId: "contract-motor-fr" }
  ),
  UploadRejected: wireError(
    Upload.UploadRejected,
    422,
    "UPLOAD_REJECTED",
    "The file is not taken as it is.",
    { reason: "ENCRYPTED" }
  ),
  DocumentNotReady: wireError(
    Document.DocumentNotReady,
    409,
    "DOCUMENT_NOT_READY",
    "The document has no bytes to show: it could not be made, or was added and is not judged yet, or not taken.",
    { status: "FAILED", failure: { reason: "UNPRINTABLE_TEXT", paths: ["/holder/name"] } }
  )
} as const
