/** Renewals and repricings on offer that the base branch has moved away from: brought up to it, and priced again. */
import type { StoredBranch } from "@quittance/domain/policies/aggregate/StoredBranch"
import { withoutStops } from "@quittance/domain/policies/ChangeView"
import { moveTo } from "@quittance/domain/policies/PolicyCommands"
import { pricedDiffers } from "@quittance/domain/policies/PricedTimeline"
import { Context, Effect, Layer, Result } from "effect"
import { offersJobName } from "@quittance/domain/requests/Actor"
import type { Actor } from "../requests/Actor.ts"
import { stageAfterRebase } from "@quittance/domain/branches/BranchRecords"
import { lastOnTrunk, Offers, reasonOfNoOffer } from "./Offers.ts"
import {
  onto,
  type PolicyAggregate,
  baseBranch,
  withDrafts
} from "@quittance/domain/policies/aggregate/PolicyAggregate"
import { QuotesOfPolicies } from "../policies/PolicyQuotes.ts"
import { rebased } from "@quittance/domain/branches/Rebasing"
import type { QuotingFailure } from "../quotes/SegmentQuotes.ts"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

export class StaleOffers extends Context.Service<
  StaleOffers,
  {
    /**
     * Rebases the offers of a policy that are behind its base branch, and quotes those again whose price has
     * moved; part of a transaction that holds its head. An accepted renewal stays accepted, as it does when
     * one is merged; a repricing has to be accepted again. An offer that the worker can't rebase is parked,
     * and the policy goes on without it.
     */
    refresh(policy: PolicyAggregate): Effect.Effect<PolicyAggregate, never, CurrentTenant>
  }
>()("@quittance/operations/StaleOffers") {
  static readonly layer = Layer.effect(
    StaleOffers,
    Effect.gen(function* () {
      const offers = yield* Offers
      const quotes = yield* QuotesOfPolicies

      const bringUp = Effect.fnUntraced(function* (policy: PolicyAggregate, { id }: StoredBranch) {
        const offer = onto(policy, id)
        const { branch, state } = offer
        const result = rebased(offer, [])
        if (Result.isFailure(result)) {
          const why = `${named(branch)} contradicts a change in force; rebase or invalidate it.`
          return yield* offers.park(offer, why, job)
        }
        const { drafts, row } = result.success
        const branches = offer.branches.map((one) => (one.id === id ? row : one))
        const up = { ...offer, branch: row, branches }
        const fits = yield* Effect.isSuccess(quotes.fresh({ ...up, ...withDrafts(up, drafts) }))
        const stage = stageAfterRebase(state.stage, fits)
        const rebase = { command: "branch.rebase", branch: row, drafts: [...drafts, stage] }
        const moved = yield* offers.record(offer, rebase, job)
        // An offer that is not quoted yet is left to its author.
        if (fits || (state.stage === "DRAFT" && !lacksPrice(branch))) return moved
        const quoted = yield* Effect.result(offers.quote(moved, job))
        if (Result.isFailure(quoted)) {
          return yield* offers.park(moved, noPrice(branch, quoted.failure), job)
        }
        const isAccepted = state.stage === "CONFIRMED" && branch.branchType === "RENEWAL"
        if (!isAccepted) return quoted.success
        const accept = {
          branch: quoted.success.branch,
          drafts: [moveTo("CONFIRM", "CONFIRMED")]
        }
        return yield* offers.record(quoted.success, { command: "branch.confirm", ...accept }, job)
      })

      const refresh = Effect.fn("StaleOffers.refresh")(function* (policy: PolicyAggregate) {
        let current = policy
        for (const branch of staleOffers(policy)) current = yield* bringUp(current, branch)
        return onto(current, baseBranch(current).id)
      })

      return StaleOffers.of({ refresh })
    })
  ).pipe(Layer.provide([Offers.layer, QuotesOfPolicies.layer]))
}

/** Who keeps offers up to what is in force. */
export const job: Actor = { kind: "JOB", id: offersJobName, requestId: offersJobName }

const named = ({ branchType, id }: StoredBranch): string =>
  `The ${branchType === "RENEWAL" ? "renewal" : "repricing"} on branch ${id}`

/** Why an offer is parked that is rebased on the base branch, but could not be quoted. */
export const noPrice = (branch: StoredBranch, failure: QuotingFailure): string =>
  `${named(branch)} has no price. ${reasonOfNoOffer(failure)}`

/** Whether a branch was parked without a price, and not because of a conflict. */
const lacksPrice = ({ aside, forkedSeq }: StoredBranch): boolean =>
  aside !== null && forkedSeq >= aside.seq

/**
 * The open offers since whose fork the base branch has come to other prices; a parked one is tried
 * again once the base branch has moved on, or a user asks for it.
 */
export const staleOffers = (policy: PolicyAggregate): ReadonlyArray<StoredBranch> => {
  const { branches, changes, head, productOf } = policy
  const lineage = { branchId: head.defaultBranchId }
  const onTrunk = changes.filter(({ branchId }) => branchId === head.defaultBranchId)
  const last = lastOnTrunk(policy)
  return branches.filter(({ aside, branchType, forkedSeq, status }) => {
    const isOffer = branchType === "RENEWAL" || branchType === "REPRICING"
    if (!isOffer || status !== "OPEN") return false
    if (aside?.again === true) return true
    if (Math.max(forkedSeq, aside?.seq ?? 0) >= last) return false
    // What it contradicted may be gone.
    if (aside !== null && forkedSeq < aside.seq) return true
    const atFork = onTrunk.filter(({ seq }) => seq <= forkedSeq)
    // A stop moves no price: what it hides shows again once it is undone.
    const [before, now] = [atFork, onTrunk].map((log) => withoutStops(log, lineage))
    return pricedDiffers(before!, now!, lineage, productOf)
  })
}
