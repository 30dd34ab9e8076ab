/** What has to hold before a step of the sale by the product's word, and has not been met yet. */
import { Schema } from "effect"
import { CustomerId } from "../values/Ids.ts"

/**
 * `MISSING`: nothing is recorded. `OUTDATED`: what is recorded does not hold any more. `TOO_LATE`: it was
 * recorded after the step. `DEVIATION`: the cover does not fit what the customer needs.
 */
export const UnmetReason = Schema.Literals(["MISSING", "OUTDATED", "TOO_LATE", "DEVIATION"])
export type UnmetReason = typeof UnmetReason.Type

export const GateKind = Schema.Literals([
  "CONSENT",
  "POLICYHOLDER_CONFIRMED",
  "BROKER_REGISTRATION",
  "DEMANDS_AND_NEEDS",
  "ADVICE",
  "IPID",
  "INTERMEDIARY_INFORMATION",
  "DOCUMENT",
  "REQUESTED_DOCUMENT",
  "WITHDRAWAL_RIGHT"
])
export type GateKind = typeof GateKind.Type

/** A condition of the sale that has not been met yet, and how to meet it. */
export const UnmetGate = Schema.Struct({
  kind: GateKind,
  textId: Schema.optionalKey(Schema.String),
  /** The document to be given, where it is there. */
  documentId: Schema.optionalKey(Schema.String),
  /** A document of the product's list. */
  definitionId: Schema.optionalKey(Schema.String),
  /** What a customer has to bring, by its kind in the product's list. */
  requestedKind: Schema.optionalKey(Schema.String),
  /** The customer who has to bring it. */
  customerId: Schema.optionalKey(CustomerId),
  /** The request for it, where there is one. */
  documentRequestId: Schema.optionalKey(Schema.String),
  /** The data that have changed since, by their paths; or the rules that the cover does not keep. */
  fields: Schema.optionalKey(Schema.Array(Schema.String)),
  why: UnmetReason,
  do: Schema.String
})
export type UnmetGate = typeof UnmetGate.Type

/** The policyholder of a sale is confirmed first; a contract keeps one. */
export const policyholderMissing: UnmetGate = {
  kind: "POLICYHOLDER_CONFIRMED",
  why: "MISSING",
  do: "Confirm the policyholder: `POST /customers/{customerId}/confirm`."
}

export class ComplianceGateNotMet extends Schema.TaggedError<ComplianceGateNotMet>()(
  "ComplianceGateNotMet",
  { gates: Schema.Array(UnmetGate) }
) {
  override get message() {
    return "Meet the gates listed in details first, each as its `do` says."
  }
}

/** One call does not sign a product that asks each signer. */
export class SignatureRequired extends Schema.TaggedError<SignatureRequired>()(
  "SignatureRequired",
  {}
) {
  override get message() {
    return "The product is signed by each signer in turn; request a signature of the policy."
  }
}
