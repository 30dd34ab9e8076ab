import { Schema } from "effect"

/** A condition of the sale that has not been met yet, and how to meet it. */
export const UnmetGate = Schema.Struct({
  kind: Schema.Literals(["CONSENT", "POLICYHOLDER_CONFIRMED"]),
  textId: Schema.optionalKey(Schema.String)
})
export type UnmetGate = typeof UnmetGate.Type

export class ComplianceGateNotMet extends Schema.TaggedError<ComplianceGateNotMet>()(
  "ComplianceGateNotMet",
  { gates: Schema.Array(UnmetGate) }
) {
  override get message() {
    return "Meet the gates listed in details first: confirm the policyholder, accept each text."
  }
}
