/** A branch of a policy as it is stored. */
import type { BranchType } from "../../products/ProductTerms.ts"
import type { BranchId, PolicyId } from "../../values/Ids.ts"
import type { Instant } from "../../values/Instant.ts"
import type { BranchStatus, InvalidationReason, Stage } from "../Branch.ts"

/** A branch with the counters that the wire does not show. */
export interface StoredBranch {
  readonly id: BranchId
  readonly policyId: PolicyId
  readonly branchType: BranchType
  readonly name: string
  readonly status: BranchStatus
  readonly stage: Stage
  readonly effectiveAt: Instant | null
  readonly forkedAt: Instant
  readonly forkedSeq: number
  /** The last change of the branch: its etag. */
  readonly seq: number
  readonly author: string
  readonly createdAt: Instant
  readonly mergedAt: Instant | null
  readonly invalidatedAt: Instant | null
  readonly invalidationReason: InvalidationReason | null
  /** Why the worker leaves an offer to people, since when, and up to which change of the base branch. */
  readonly aside: {
    readonly reason: string
    readonly at: Instant
    readonly seq: number
    /** A user has asked for another try. */
    readonly again?: boolean
  } | null
}

/** Up to which change of the base branch a branch has forked from it, and when. */
export interface Fork {
  readonly at: Instant
  readonly seq: number
}

/**
 * Until when each customer of a policy is on it, without an instant for good; a missing customer is no longer
 * on it.
 */
export type Memberships = ReadonlyMap<string, Instant | undefined>
