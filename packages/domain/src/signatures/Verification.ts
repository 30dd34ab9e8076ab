/** What everybody may ask of a file that proves a signature: whether it is as it was sealed, and by whom. */
import { Schema } from "effect"
import { Instant } from "../values/Instant.ts"
import { Digest } from "./EvidenceStep.ts"

/** Bytes that such a file may have. */
export const maximumVerified = 26_214_400

/** Files that one address may have verified in a tenant. */
export const verificationLimit = { limit: 30, windowSeconds: 3600 }

/** The fields of a form with a file to verify: its bytes are all. */
export const VerificationForm = Schema.Struct({})

/** The same as it is sent. */
export const VerificationUpload = Schema.Struct({
  file: Schema.String.annotate({ format: "binary" })
}).annotate({ identifier: "VerificationUpload" })

export const VerifiedKind = Schema.Literals([
  /** A sealed document. */
  "PDF",
  /** An archive of evidence. */
  "EVIDENCE"
]).annotate({ identifier: "VerifiedKind" })
export type VerifiedKind = typeof VerifiedKind.Type

export const VerificationCheck = Schema.Struct({
  name: Schema.Literals([
    /** Every byte is as it was sealed. */
    "CONTENT",
    /** The seals are those of this tenant. */
    "ISSUER",
    /** A time stamp proves by when it was sealed. */
    "TIME"
  ]),
  result: Schema.Literals(["HOLDS", "FAILS", "NOT_CHECKED"]),
  /** Of evidence: the part of the archive that is wrong. */
  part: Schema.optionalKey(Schema.String),
  message: Schema.String
}).annotate({ identifier: "VerificationCheck" })
export type VerificationCheck = typeof VerificationCheck.Type

/** A document of evidence; `shown` is what the signers saw: so many of its first bytes. */
export const VerifiedDocument = Schema.Struct({
  part: Schema.String,
  sha256: Digest,
  shownSha256: Digest,
  /** In bytes. */
  shownSize: Schema.Int
}).annotate({ identifier: "VerifiedDocument" })
export type VerifiedDocument = typeof VerifiedDocument.Type

export const Verification = Schema.Struct({
  kind: VerifiedKind,
  status: Schema.Literals([
    /** Nothing was changed, and this tenant has sealed it. */
    "INTACT",
    /** Something was changed after it was sealed. */
    "CHANGED",
    /** It is not known by whom it was sealed. */
    "UNKNOWN"
  ]),
  /** Whether this tenant has sealed it. */
  known: Schema.Boolean,
  changedAfterwards: Schema.Boolean,
  /** By when it was sealed; absent where no time stamp of the tenant's authority proves it. */
  sealedAt: Schema.optionalKey(Instant),
  /** What is signed by intact evidence. */
  documents: Schema.optionalKey(Schema.Array(VerifiedDocument)),
  checks: Schema.Array(VerificationCheck)
}).annotate({ identifier: "Verification" })
export type Verification = typeof Verification.Type

const adviceOf = {
  TYPE: "It is neither a PDF file nor an archive. Send a sealed document, or the file that GET /signatures/{signatureId}/evidence has answered, as it was fetched.",
  NO_SEAL:
    "The PDF file has no seal. Send the sealed document: the one whose `origin` is SEALED, as it was fetched, neither printed nor saved anew.",
  NO_EVIDENCE:
    "The archive is none of evidence. Send the file that GET /signatures/{signatureId}/evidence has answered, neither unpacked nor packed anew.",
  TOO_LARGE:
    "The archive has more or larger parts than evidence of the service. Check it by `pnpm evidence verify`."
} as const

/** A file of which there is nothing to verify. */
export class FileNotVerifiable extends Schema.TaggedError<FileNotVerifiable>()(
  "FileNotVerifiable",
  { reason: Schema.Literals(["TYPE", "NO_SEAL", "NO_EVIDENCE", "TOO_LARGE"]) }
) {
  override get message() {
    return adviceOf[this.reason]
  }
}
