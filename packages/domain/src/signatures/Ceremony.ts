/** What a signer sees of a signature: what they sign, the texts that they accept, and how far they are. */
import { Schema } from "effect"
import { Text } from "../values/Text.ts"
import { PolicyId, SignatureId } from "../values/Ids.ts"
import { Instant } from "../values/Instant.ts"
import { Digest, SignedDocument } from "./EvidenceStep.ts"
import { SignatureStatus } from "./SignatureLifecycle.ts"
import { Signer } from "./Signer.ts"

/** A text that a signer accepts by signing. */
export const CeremonyText = Schema.Struct({
  textId: Schema.String,
  text: Schema.String,
  textHash: Digest
}).annotate({ identifier: "CeremonyText" })

export const Ceremony = Schema.Struct({
  signatureId: SignatureId,
  policyId: PolicyId,
  status: SignatureStatus,
  signer: Signer,
  documents: Schema.Array(SignedDocument),
  texts: Schema.Array(CeremonyText),
  message: Schema.optionalKey(Schema.String),
  expiresAt: Instant
}).annotate({ identifier: "Ceremony" })
export type Ceremony = typeof Ceremony.Type

export const ProveSigner = Schema.Struct({
  code: Schema.String.check(Schema.isPattern(/^\d{6}$/u, { message: "Expected six digits" }))
}).annotate({ identifier: "ProveSigner" })
export type ProveSigner = typeof ProveSigner.Type

export const SignSignature = Schema.Struct({
  /** The first name and the last name, as they are typed. */
  name: Text,
  consents: Schema.Array(
    Schema.Struct({
      textId: Schema.String,
      /** SHA-256 of the text that was shown. */
      textHash: Digest,
      accepted: Schema.Literal(true)
    })
  ).check(Schema.isMaxLength(20))
}).annotate({ identifier: "SignSignature" })
export type SignSignature = typeof SignSignature.Type

export const DeclineSignature = Schema.Struct({ reason: Text }).annotate({
  identifier: "DeclineSignature"
})
export type DeclineSignature = typeof DeclineSignature.Type
