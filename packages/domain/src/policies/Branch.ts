import { Schema } from "effect"
import { Instant } from "../values/Instant.ts"
import * as PrefixedId from "../values/PrefixedId.ts"
import { BranchId } from "../values/Ids.ts"
import { BranchType } from "../products/ProductTerms.ts"

/** What a path is over `[from, to)`; an absent value is a path with nothing at it. */
export const Conflict = Schema.Struct({
  path: Schema.String,
  from: Instant,
  to: Schema.optionalKey(Instant),
  /** On the base branch as it was at the fork. */
  base: Schema.optionalKey(Schema.Json),
  /** On the base branch now. */
  theirs: Schema.optionalKey(Schema.Json),
  /** On the branch. */
  ours: Schema.optionalKey(Schema.Json)
}).annotate({ identifier: "Conflict" })

export type Conflict = typeof Conflict.Type

/** The base branch and a branch contradict each other. */
export class BranchConflict extends Schema.TaggedError<BranchConflict>()("BranchConflict", {
  conflicts: Schema.Array(Conflict)
}) {
  override get message() {
    return "Rebase the branch with a resolution (`ours` or `theirs`) for each of the conflicts in details."
  }
}

export const BranchStatus = Schema.Literals(["OPEN", "MERGED", "INVALIDATED"])
export type BranchStatus = typeof BranchStatus.Type

/** Why a branch was invalidated. */
export const InvalidationReason = Schema.Literals([
  "BROKER_REQUEST",
  "CUSTOMER_REQUEST",
  "FORKED",
  "CONCURRENT_BRANCH_MERGED",
  "QUOTE_INVALIDATED",
  "RENEWAL_REFUSED",
  "POLICY_STOPPED"
])
export type InvalidationReason = typeof InvalidationReason.Type

/** How far the sale on a branch has come. */
export const Stage = Schema.Literals(["DRAFT", "QUOTED", "CONFIRMED", "SIGNED"])
export type Stage = typeof Stage.Type

/** Who recorded a change: a user or an anonymous session by its id, or a job by its name. */
export const Author = Schema.String

export const Branch = Schema.Struct({
  id: BranchId,
  policyId: PrefixedId.schema("policy"),
  branchType: BranchType,
  name: Schema.String,
  status: BranchStatus,
  stage: Stage,
  effectiveAt: Schema.optionalKey(Instant),
  forkedAt: Instant,
  createdAt: Instant,
  author: Author,
  mergedAt: Schema.optionalKey(Instant),
  invalidation: Schema.optionalKey(
    Schema.Struct({ reason: InvalidationReason, invalidatedAt: Instant })
  )
}).annotate({ identifier: "Branch" })
export type Branch = typeof Branch.Type

export class BranchNotFound extends Schema.TaggedError<BranchNotFound>()("BranchNotFound", {
  branchId: BranchId
}) {
  override get message() {
    return `Branch ${this.branchId} does not exist; list the policy's branches.`
  }
}

export class InvalidBranch extends Schema.TaggedError<InvalidBranch>()("InvalidBranch", {
  branchId: BranchId
}) {
  override get message() {
    return `Branch ${this.branchId} belongs to another policy; list this policy's branches.`
  }
}

export class BranchClosed extends Schema.TaggedError<BranchClosed>()("BranchClosed", {
  branchId: BranchId,
  status: BranchStatus
}) {
  override get message() {
    return `Branch ${this.branchId} is closed; leave out branchId to work on what is in force.`
  }
}

/**
 * Whether a type of branch takes data. A repricing moves a policy to another version of its product and
 * nothing else, which is why it may take effect without a signature.
 */
export const takesData = (branchType: BranchType): boolean => branchType !== "REPRICING"

export class BranchRequired extends Schema.TaggedError<BranchRequired>()("BranchRequired", {
  paths: Schema.Array(Schema.String),
  branchType: BranchType
}) {
  override get message() {
    return `A signed policy's priced data changes on a branch: open one of type ${this.branchType}.`
  }
}
