/** The errors of the area signatures on the wire. The last argument of each shows its details. */
import * as Signature from "@quittance/domain/signatures/Signature"
import { EvidenceNotReady } from "@quittance/domain/signatures/EvidenceFile"
import { FileNotVerifiable } from "@quittance/domain/signatures/Verification"
import * as Refusals from "@quittance/domain/signatures/SignatureErrors"
import { exampleId as id } from "../requests/Examples.ts"
import { wireError } from "../requests/WireError.ts"

export const signatureErrors = {
  SignatureNotFound: wireError(
    Signature.SignatureNotFound,
    404,
    "SIGNATURE_NOT_FOUND",
    "The tenant has no such signature.",
    { signatureId: id("signature") }
  ),
  EvidenceNotReady: wireError(
    EvidenceNotReady,
    409,
    "EVIDENCE_NOT_READY",
    "There is no evidence of the signature: `details.reason` says why.",
    { signatureId: id("signature"), reason: "SEALING" }
  ),
  FileNotVerifiable: wireError(
    FileNotVerifiable,
    422,
    "FILE_NOT_VERIFIABLE",
    "There is nothing to verify in the file: `details.reason` says why.",
    { reason: "NO_SEAL" }
  ),
  SignatureClosed: wireError(
    Refusals.SignatureClosed,
    409,
    "SIGNATURE_CLOSED",
    "The signature is signed, or has ended: `details.status` says how.",
    { status: "EXPIRED" }
  ),
  CorrectionRefused: wireError(
    Refusals.CorrectionRefused,
    409,
    "CORRECTION_REFUSED",
    "The signer is not corrected: `details.reason` says why.",
    { reason: "UNCHANGED" }
  ),
  RemindedLately: wireError(
    Refusals.RemindedLately,
    409,
    "REMINDED_LATELY",
    "The signers were sent a letter less than an hour ago.",
    { nextAt: "2026-03-01T10:00:00.000Z" }
  ),
  SignatureOpen: wireError(
    Refusals.SignatureOpen,
    409,
    "SIGNATURE_OPEN",
    "The branch has a signature that is open.",
    { signatureId: id("signature") }
  ),
  SignatureNotRequested: wireError(
    Refusals.SignatureNotRequested,
    409,
    "SIGNATURE_NOT_REQUESTED",
    "The product is signed by one call.",
    {}
  ),
  SignedDocumentsPending: wireError(
    Refusals.SignedDocumentsPending,
    409,
    "SIGNED_DOCUMENTS_PENDING",
    "Documents that are to be signed are not made yet.",
    { definitionIds: ["CONTRACT"] }
  ),
  SignerIncomplete: wireError(
    Refusals.SignerIncomplete,
    422,
    "SIGNER_INCOMPLETE",
    "The name or the address of who signs is not known.",
    { customerId: id("customer"), missing: ["email"] }
  ),
  SignerNotFound: wireError(
    Refusals.SignerNotFound,
    404,
    "SIGNER_NOT_FOUND",
    "The signature has no such signer.",
    { signerId: id("signer") }
  ),
  NotYourTurn: wireError(
    Refusals.NotYourTurn,
    409,
    "NOT_YOUR_TURN",
    "Others sign before this signer.",
    {}
  ),
  DocumentNotShown: wireError(
    Refusals.DocumentNotShown,
    409,
    "DOCUMENT_NOT_SHOWN",
    "The signer has not read these documents to the last byte.",
    { documentIds: [id("document")] }
  ),
  NameMismatch: wireError(
    Refusals.NameMismatch,
    422,
    "NAME_MISMATCH",
    "The name is another one than the signer has.",
    {}
  ),
  OtpInvalid: wireError(Refusals.OtpInvalid, 422, "OTP_INVALID", "The code is another one.", {
    triesLeft: 4
  }),
  OtpLocked: wireError(
    Refusals.OtpLocked,
    409,
    "OTP_LOCKED",
    "No code is valid: it was tried too often, or is too old.",
    {}
  )
} as const
