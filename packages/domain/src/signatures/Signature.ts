/** A signature: who agreed to which texts, at which price, when. */
import { Schema } from "effect"
import { BranchId, PolicyId, QuoteId, SignatureId } from "../values/Ids.ts"
import { Instant } from "../values/Instant.ts"
import { Digest, EvidenceFault, EvidenceStep, SignerName } from "./EvidenceStep.ts"

/** A text that the signer has accepted. */
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
  status: Schema.Literal("COMPLETED"),
  /** `CLICK`: by one call of the program in which the signer acts. */
  method: Schema.Literal("CLICK"),
  /** A simple electronic signature (Regulation (EU) 910/2014, art. 3(10), 25(1)). */
  level: Schema.Literal("SIMPLE"),
  quoteId: QuoteId,
  /** SHA-256 of the state that the quote prices. */
  stateDigest: Digest,
  signers: Schema.Array(SignerName),
  consents: Schema.Array(SignedConsent),
  signedAt: Instant
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
