/** The steps of a signature, each bound to the one before by its SHA-256: none can be changed unseen. */
import { Schema } from "effect"
import { AuditActorKind } from "../requests/Actor.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"
import { BranchId, PolicyId, QuoteId, SignatureId, SignerId } from "../values/Ids.ts"
import { Instant } from "../values/Instant.ts"

/** A SHA-256 in lower-case hexadecimal. */
export const Digest = Schema.String.check(
  Schema.isPattern(/^[0-9a-f]{64}$/u, { message: "Expected a SHA-256 in lower-case hexadecimal" })
)

export const EvidenceKind = Schema.Literals([
  /** Signers are asked to sign these documents, at the price of these quotes. */
  "REQUESTED",
  /** A letter has left that asks a signer to sign. */
  "NOTIFIED",
  /** A letter has left that asks them once more. */
  "REMINDED",
  /** The address or the telephone of a signer was corrected before they began. */
  "CORRECTED",
  /** Those who work on the policy have taken a link, which they give to a signer; the one before has ended. */
  "LINKED",
  /** A signer has begun, or come back. */
  "OPENED",
  /** A signer was shown a document, from its first byte to the last. */
  "DOCUMENT_SHOWN",
  /** A code was sent to a signer. */
  "OTP_SENT",
  /** A signer has entered another code. */
  "OTP_FAILED",
  /** A signer has entered the code. */
  "OTP_PROVEN",
  /** A signer has refused. */
  "DECLINED",
  /** It was withdrawn by those who work on the policy. */
  "CANCELLED",
  /** It was not signed in time. */
  "EXPIRED",
  /** What was to be signed has changed. */
  "VOIDED",
  /** The signer has accepted a text. */
  "CONSENT_GIVEN",
  /** The signer has signed, at the price of these quotes. */
  "SIGNED"
]).annotate({ identifier: "EvidenceKind" })
export type EvidenceKind = typeof EvidenceKind.Type

/** A quote that is signed, by the digest of the state that it prices. */
export const SignedQuote = Schema.Struct({ quoteId: QuoteId, stateDigest: Digest }).annotate({
  identifier: "SignedQuote"
})

/** A document that is signed, by its bytes. */
export const SignedDocument = Schema.Struct({
  documentId: Schema.String,
  sha256: Digest,
  /** In bytes. */
  size: Schema.Int,
  pages: Schema.Int
}).annotate({ identifier: "SignedDocument" })
export type SignedDocument = typeof SignedDocument.Type

/** Who signs, as they have said it. */
export const SignerName = Schema.Struct({
  firstName: Schema.String,
  lastName: Schema.String,
  email: Schema.String
}).annotate({ identifier: "SignerName" })
export type SignerName = typeof SignerName.Type

/** Who is asked to sign. */
const RequestedName = Schema.Struct({ signerId: SignerId, ...SignerName.fields }).annotate({
  identifier: "RequestedName"
})

const facts = {
  kind: EvidenceKind,
  /** The text that was accepted, and the SHA-256 of it. */
  textId: Schema.optionalKey(Schema.String),
  sha256: Schema.optionalKey(Digest),
  policyId: Schema.optionalKey(PolicyId),
  branchId: Schema.optionalKey(BranchId),
  quotes: Schema.optionalKey(Schema.Array(SignedQuote)),
  signer: Schema.optionalKey(SignerName),
  /** The telephone that a signer was corrected to, but for most of its digits. */
  phone: Schema.optionalKey(Schema.String),
  documents: Schema.optionalKey(Schema.Array(SignedDocument)),
  /** The document that was shown; `sha256` is that of its bytes. */
  documentId: Schema.optionalKey(Schema.String),
  signers: Schema.optionalKey(Schema.Array(RequestedName)),
  /** The signer whose step it is. */
  signerId: Schema.optionalKey(SignerId),
  /** Why a signature was ended. */
  reason: Schema.optionalKey(Schema.String)
}
const Facts = Schema.Struct(facts)

/** What a step says beside its place, its times and its origin. */
export type StepFacts = typeof Facts.Type

const origin = {
  signatureId: SignatureId,
  /** The tenant's time. */
  at: Instant,
  /** The real time. */
  recordedAt: Instant,
  actor: Schema.Struct({ kind: AuditActorKind, id: Schema.String }),
  address: Schema.String,
  userAgent: Schema.String
}
const Origin = Schema.Struct(origin)

/** Which signature steps belong to, when they happened, and from where. */
export type StepOrigin = typeof Origin.Type

const content = {
  /** Counts the steps of a signature from 1. */
  n: Schema.Int,
  ...origin,
  ...facts,
  /** The hash of the step before; 64 zeros before the first. */
  prev: Digest
}
const StepContent = Schema.Struct(content)

/** A step with its hash, which is that of its other members as canonical JSON (RFC 8785). */
export const EvidenceStep = Schema.Struct({ ...content, hash: Digest }).annotate({
  identifier: "EvidenceStep"
})
export type EvidenceStep = typeof EvidenceStep.Type

/** A step as it is kept: the text that was hashed, byte for byte. */
export interface StoredStep {
  readonly content: string
  readonly hash: string
}

/** SHA-256 of the UTF-8 of a text, in lower-case hexadecimal. */
export type Hash = (text: string) => string

const firstPrev = "0".repeat(64)

/** Where further steps follow: how many there are, and the hash of the last one. */
export interface ChainEnd {
  readonly n: number
  readonly hash: string
}

/** Before the first step. */
export const chainStart: ChainEnd = { n: 0, hash: firstPrev }

/** The steps of these facts in their order, each bound to the one before. */
export const chained = (
  all: ReadonlyArray<StepFacts>,
  from: StepOrigin,
  hash: Hash,
  after: ChainEnd = chainStart
): ReadonlyArray<StoredStep> => {
  const steps: Array<StoredStep> = []
  for (const [index, step] of all.entries()) {
    const prev = steps.at(-1)?.hash ?? after.hash
    const text = canonicalJson({ n: after.n + index + 1, ...from, ...step, prev })
    steps.push({ content: text, hash: hash(text) })
  }
  return steps
}

/**
 * What is wrong with a step. `CONTENT`: its content does not give its hash; `SIGNATURE`: it is another
 * signature's; `NUMBER`: a step is missing, was added or moved; `PREVIOUS`: it follows another step; `HEAD`:
 * the audit trail has another last step.
 */
export const EvidenceFault = Schema.Struct({
  n: Schema.Int,
  reason: Schema.Literals(["CONTENT", "SIGNATURE", "NUMBER", "PREVIOUS", "HEAD"])
}).annotate({ identifier: "EvidenceFault" })
export type EvidenceFault = typeof EvidenceFault.Type

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(StepContent))

/**
 * The first thing that is wrong with the steps of a signature; `undefined` where they are as they were
 * recorded. `head` is the hash of the last step as the audit trail has it.
 */
export const faultOf = (
  steps: ReadonlyArray<StoredStep>,
  recorded: { readonly signatureId: SignatureId; readonly head: string | undefined },
  hash: Hash
): EvidenceFault | undefined => {
  let prev = firstPrev
  for (const [index, step] of steps.entries()) {
    const n = index + 1
    const read = decode(step.content)
    if (read._tag === "None" || hash(step.content) !== step.hash) return { n, reason: "CONTENT" }
    if (canonicalJson(read.value) !== step.content) return { n, reason: "CONTENT" }
    if (read.value.signatureId !== recorded.signatureId) return { n, reason: "SIGNATURE" }
    if (read.value.n !== n) return { n, reason: "NUMBER" }
    if (read.value.prev !== prev) return { n, reason: "PREVIOUS" }
    prev = step.hash
  }
  const isWhole = steps.length > 0 && prev === recorded.head
  return isWhole ? undefined : { n: Math.max(steps.length, 1), reason: "HEAD" }
}

/** Steps as they are shown. Where one can't be read any more, the steps end before it. */
export const readable = (steps: ReadonlyArray<StoredStep>): ReadonlyArray<EvidenceStep> => {
  const shown: Array<EvidenceStep> = []
  for (const { content: text, hash } of steps) {
    const read = decode(text)
    if (read._tag === "None") return shown
    shown.push({ ...read.value, hash })
  }
  return shown
}
