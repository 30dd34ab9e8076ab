import { Schema } from "effect"
import { Instant } from "../values/Instant.ts"
import { Broker, PolicyStatus } from "./Policy.ts"
import { BranchId, BrokerageFirmId, PolicyId } from "../values/Ids.ts"
import { PolicyType } from "../products/Product.ts"

/** What of a policy has no versions, and the counters of its logs. */
export const PolicyHead = Schema.Struct({
  id: PolicyId,
  incrementalId: Schema.Int,
  productId: Schema.String,
  productVersion: Schema.String,
  type: PolicyType,
  brokerageFirmId: Schema.NullOr(BrokerageFirmId),
  parentId: Schema.NullOr(PolicyId),
  author: Schema.NullOr(Broker),
  /** The branch opened by create until it merges, then the base branch. */
  defaultBranchId: BranchId,
  changeSeq: Schema.Int,
  eventSeq: Schema.Int,
  status: PolicyStatus,
  /** Up to which instant events have told what took effect by itself; null: up to the last change. */
  toldUntil: Schema.NullOr(Instant),
  createdAt: Instant,
  lastModifiedAt: Instant
})
export type PolicyHead = typeof PolicyHead.Type
