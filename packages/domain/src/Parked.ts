/** Policies that the worker had to leave aside. */
import { Schema } from "effect"
import { Instant } from "./Instant.ts"
import * as PrefixedId from "./PrefixedId.ts"

/** A policy that could not be billed, since when, and why. */
export const ParkedPolicy = Schema.Struct({
  policyId: PrefixedId.schema("policy"),
  reason: Schema.String,
  parkedAt: Instant
}).annotate({ identifier: "ParkedPolicy" })
export type ParkedPolicy = typeof ParkedPolicy.Type

/** What came of trying a parked policy again: it went through, or is parked with this reason. */
export const RetriedPolicy = Schema.Struct({
  policyId: PrefixedId.schema("policy"),
  status: Schema.Literals(["DONE", "PARKED"]),
  reason: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "RetriedPolicy" })
export type RetriedPolicy = typeof RetriedPolicy.Type

export class PolicyNotParked extends Schema.TaggedError<PolicyNotParked>()("PolicyNotParked", {
  policyId: Schema.String
}) {
  override get message() {
    return `Policy ${this.policyId} is not parked; GET /billing/parked lists those that are.`
  }
}
