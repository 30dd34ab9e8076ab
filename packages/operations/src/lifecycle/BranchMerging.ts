/** The end of a sale and of an endorsement: what has to hold before a branch is merged, and the merge. */
import { mergedEndorsement, mergedSale } from "@quittance/domain/branches/BranchMerging"
import {
  defaultEffect,
  lineageOf,
  type PolicyAggregate,
  positionOf,
  type Recorded
} from "@quittance/domain/policies/aggregate/PolicyAggregate"
import type { QuoteRecord } from "@quittance/domain/policies/aggregate/QuoteRecord"
import type { BranchConflict, BranchRequired } from "@quittance/domain/policies/Branch"
import { permit } from "@quittance/domain/policies/Lifecycle"
import type { DuplicateExternalId } from "@quittance/domain/policies/Policy"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { Ids } from "@quittance/persistence/sql/Ids"
import { Context, Effect, Layer } from "effect"
import { ComplianceGates, type Step } from "../compliance/ComplianceGates.ts"
import { ExternalIds } from "../policies/ExternalIds.ts"
import { checkStep } from "../policies/PolicyChecks.ts"
import { QuotesOfPolicies } from "../policies/PolicyQuotes.ts"
import { requireNoDerogation, type SaleFailure } from "../quotes/SaleGates.ts"

/** Why a branch is not merged. */
export type MergeFailure = BranchConflict | BranchRequired | DuplicateExternalId

export class BranchMerging extends Context.Service<
  BranchMerging,
  {
    /** Fails unless the branch may be merged; answers the quotes that are accepted with it. */
    requireReady(
      policy: PolicyAggregate,
      lastStep: "sign" | "merge",
      step: Step
    ): Effect.Effect<ReadonlyArray<QuoteRecord>, SaleFailure, CurrentTenant>
    /** What the merge of the branch records. */
    merge(
      policy: PolicyAggregate
    ): Effect.Effect<Omit<Recorded, "command">, MergeFailure | SaleFailure, CurrentTenant>
  }
>()("@quittance/operations/BranchMerging") {
  static readonly layer = Layer.effect(
    BranchMerging,
    Effect.gen(function* () {
      const externalIds = yield* ExternalIds
      const gates = yield* ComplianceGates
      const ids = yield* Ids
      const quotes = yield* QuotesOfPolicies

      const requireReady = Effect.fn("BranchMerging.requireReady")(function* (
        policy: PolicyAggregate,
        lastStep: "sign" | "merge",
        step: Step
      ) {
        const { state } = policy
        const fresh = yield* quotes.fresh(policy)
        yield* Effect.fromResult(permit(positionOf(policy, state), lastStep))
        yield* checkStep(judgedOf(policy), { stage: "SIGN", ...since(policy) })
        yield* requireNoDerogation(fresh)
        yield* gates.require(policy, step)
        // A confirmed branch has a quote: the tables lead there by no other way.
        return fresh
      })

      const merge = Effect.fn("BranchMerging.merge")(function* (policy: PolicyAggregate) {
        if (policy.branch.branchType === "NEW_BUSINESS") {
          const recorded = yield* Effect.fromResult(mergedSale(policy, ids.next("branch")))
          yield* externalIds.settle(policy, recorded)
          return recorded
        }
        const { recorded, segments } = yield* Effect.fromResult(mergedEndorsement(policy))
        yield* quotes.requireFitting(segments)
        yield* externalIds.settle(policy, recorded)
        return recorded
      })

      return BranchMerging.of({ requireReady, merge })
    })
  ).pipe(Layer.provide([ComplianceGates.layer, ExternalIds.layer, QuotesOfPolicies.layer]))
}

export const judgedOf = ({ branch, branches, changes, productOf }: PolicyAggregate) => ({
  changes,
  lineage: lineageOf(branches, branch),
  productOf
})

/**
 * When a branch takes effect, and for a sale the present: its start has to lie within the product's
 * limits; that of a signed policy did.
 */
export const since = ({ branch, now }: PolicyAggregate) => ({
  effect: defaultEffect(branch, now),
  now: branch.branchType === "NEW_BUSINESS" ? now : undefined
})
