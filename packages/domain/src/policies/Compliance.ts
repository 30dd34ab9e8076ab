/** What has to hold before a step of the sale by the product's word, and has not been met yet. */
import { Schema } from "effect"

/** `OUTDATED`: there is something, but it does not hold any more. */
export const UnmetReason = Schema.Literals(["MISSING", "OUTDATED"])

/** A condition of the sale that has not been met yet, and how to meet it. */
export const UnmetGate = Schema.Struct({
  kind: Schema.Literals(["CONSENT", "POLICYHOLDER_CONFIRMED", "BROKER_REGISTRATION"]),
  textId: Schema.optionalKey(Schema.String),
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
