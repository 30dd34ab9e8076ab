/** The seal on what was signed: by which certificate, when, and which files it made. */
import { Schema } from "effect"
import { DocumentId } from "../documents/Document.ts"
import { SignatureId } from "../values/Ids.ts"
import { Instant } from "../values/Instant.ts"
import { Digest } from "./EvidenceStep.ts"

/** A document as it was shown, and as it was sealed: the sealed file begins with the bytes of the other. */
export const SealedDocument = Schema.Struct({
  documentId: DocumentId,
  sha256: Digest,
  /** In bytes. */
  size: Schema.Int,
  /** Absent where the file is no PDF, which alone can be sealed. */
  sealed: Schema.optionalKey(
    Schema.Struct({ documentId: DocumentId, sha256: Digest, size: Schema.Int })
  )
}).annotate({ identifier: "SealedDocument" })
export type SealedDocument = typeof SealedDocument.Type

/** The level of PAdES (ETSI EN 319 142-1): `B-T` with a time stamp, `B-B` without one. */
export const SealLevel = Schema.Literals(["B-B", "B-T"]).annotate({ identifier: "SealLevel" })

export const Seal = Schema.Struct({
  level: SealLevel,
  /** SHA-256 of the certificate. */
  certificate: Digest,
  /** In real time. */
  sealedAt: Instant,
  documents: Schema.Array(SealedDocument)
}).annotate({ identifier: "Seal" })
export type Seal = typeof Seal.Type

export const SignatureSeal = Schema.Struct({
  signatureId: SignatureId,
  status: Schema.Literals([
    /** The documents are about to be sealed. */
    "WAITING",
    "SEALED",
    /** It was signed before documents were sealed. */
    "NOT_SEALED"
  ]),
  seal: Schema.optionalKey(Seal)
}).annotate({ identifier: "SignatureSeal" })
export type SignatureSeal = typeof SignatureSeal.Type
