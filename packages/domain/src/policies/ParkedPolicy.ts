/** What the worker had to leave aside: policies, or offers of policies that go on. */
import { Schema } from "effect"
import { Instant } from "../values/Instant.ts"
import * as PrefixedId from "../values/PrefixedId.ts"
import { BranchId } from "../values/Ids.ts"

/** A policy that could not be billed, or an offer that could not be brought up to it, since when, and why. */
export const ParkedPolicy = Schema.Struct({
  policyId: PrefixedId.schema("policy"),
  /** The renewal or repricing that waits for people, while the policy is billed; absent: the policy waits. */
  branchId: Schema.optionalKey(BranchId),
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
