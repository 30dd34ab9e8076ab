/** The errors of the area documents on the wire. The last argument of each shows its details. */
import { CertificateNotAvailable } from "@quittance/domain/documents/CertificateNotAvailable"
import * as Document from "@quittance/domain/documents/Document"
import * as DocumentLink from "@quittance/domain/documents/DocumentLink"
import * as DocumentRequest from "@quittance/domain/documents/requests/DocumentRequest"
import * as TemplateVersions from "@quittance/domain/documents/TemplateVersions"
import * as Upload from "@quittance/domain/documents/Upload"
import { exampleId as id } from "../requests/Examples.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
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
  DocumentLinkExpired: wireError(
    DocumentLink.DocumentLinkExpired,
    410,
    "DOCUMENT_LINK_EXPIRED",
    "The link was one of ours, and has ended: by its time, its use, by hand, or with its document."
  ),
  DocumentLinkNotFound: wireError(
    DocumentLink.DocumentLinkNotFound,
    404,
    "DOCUMENT_LINK_NOT_FOUND",
    "The service has made no such link.",
    { linkId: id("document_link") }
  ),
  TooManyDocumentLinks: wireError(
    DocumentLink.TooManyDocumentLinks,
    409,
    "TOO_MANY_DOCUMENT_LINKS",
    "As many links of the document work as may.",
    { maximum: DocumentLink.maximumLinks }
  ),
  DocumentRequestClosed: wireError(
    DocumentRequest.DocumentRequestClosed,
    409,
    "DOCUMENT_REQUEST_CLOSED",
    "The request takes no file now, or has ended: `details.status` says which.",
    { status: "RECEIVED" }
  ),
  DocumentRequestNotFound: wireError(
    DocumentRequest.DocumentRequestNotFound,
    404,
    "DOCUMENT_REQUEST_NOT_FOUND",
    "The tenant has no such request.",
    { documentRequestId: id("document_request") }
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

/** Why a file that people add is not taken. */
export const uploadErrors = [
  documentErrors.DocumentRequestClosed,
  documentErrors.UploadRejected,
  requestErrors.InvalidReference
] as const
