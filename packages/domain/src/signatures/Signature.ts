/** A signature: who agrees to which texts and documents, at which price, when. */
import { Schema } from "effect"
import { SignatureLevel } from "../products/sale/SignatureTerms.ts"
import { BranchId, PolicyId, QuoteId, SignatureId } from "../values/Ids.ts"
import { Instant } from "../values/Instant.ts"
import { Digest, EvidenceFault, EvidenceStep, SignedDocument } from "./EvidenceStep.ts"
import { SignatureStatus } from "./SignatureLifecycle.ts"
import { Signer } from "./Signer.ts"

/** A text that a signer has accepted. */
export const SignedConsent = Schema.Struct({
  textId: Schema.String,
  /** SHA-256 of the text. */
  textHash: Digest
}).annotate({ identifier: "SignedConsent" })
export type SignedConsent = typeof SignedConsent.Type

export const Signature = Schema.Struct({
  id: SignatureId,
  policyId: PolicyId,
  branchId: BranchId,
  status: SignatureStatus,
  /**
   * `CLICK`: by one call of the program in which the signer acts. `REQUEST`: by each signer in turn; all
   * optional members are of these.
   */
  method: Schema.Literals(["CLICK", "REQUEST"]),
  /** `SIMPLE`: a simple electronic signature (Regulation (EU) 910/2014, art. 3(10), 25(1)). */
  level: SignatureLevel,
  quoteId: QuoteId,
  /** SHA-256 of the state that the quote prices. */
  stateDigest: Digest,
  /** The documents that are signed, by the SHA-256 of their bytes at the request. */
  documents: Schema.optionalKey(Schema.Array(SignedDocument)),
  signers: Schema.Array(Signer),
  consents: Schema.Array(SignedConsent),
  message: Schema.optionalKey(Schema.String),
  createdAt: Schema.optionalKey(Instant),
  /** The first instant at which no one can sign any more. */
  expiresAt: Schema.optionalKey(Instant),
  /** Who has requested it. */
  author: Schema.optionalKey(Schema.String),
  /** Absent until the last signer has signed. */
  signedAt: Schema.optionalKey(Instant),
  completedAt: Schema.optionalKey(Instant),
  /** When it ended without being signed, and why. */
  closedAt: Schema.optionalKey(Instant),
  closedReason: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "Signature" })
export type Signature = typeof Signature.Type

/** The steps of a signature, and whether they are as they were recorded. */
export const SignatureSteps = Schema.Struct({
  signatureId: SignatureId,
  steps: Schema.Array(EvidenceStep),
  /** The hash of the last step, as the audit trail has it; absent where no steps were kept. */
  head: Schema.optionalKey(Digest),
  status: Schema.Literals([
    /** Each step is as it was recorded, and none is missing. */
    "INTACT",
    /** Something was changed, which `fault` names. */
    "CHANGED",
    /** It was signed before steps were kept. */
    "NOT_KEPT"
  ]),
  fault: Schema.optionalKey(EvidenceFault)
}).annotate({ identifier: "SignatureSteps" })
export type SignatureSteps = typeof SignatureSteps.Type

export class SignatureNotFound extends Schema.TaggedError<SignatureNotFound>()(
  "SignatureNotFound",
  { signatureId: SignatureId }
) {
  override get message() {
    return `Signature ${this.signatureId} does not exist; check the identifier and the tenant.`
  }
}
