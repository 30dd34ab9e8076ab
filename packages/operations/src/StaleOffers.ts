/** Renewals and repricings on offer that the trunk has moved away from: brought up to it, and priced anew. */
import { withoutStops } from "@quittance/domain/ChangeView"
import { moveTo } from "@quittance/domain/PolicyCommands"
import { pricedDiffers } from "@quittance/domain/PricedTimeline"
import type { CurrentTenant } from "@quittance/domain/Tenant"
import type { BranchRow } from "@quittance/persistence/PolicyLogRepo"
import { Context, Data, Effect, Layer, Result } from "effect"
import type { Actor } from "./Actor.ts"
import { stageAfterRebase } from "./BranchRows.ts"
import { Offers, reasonOfNoOffer } from "./Offers.ts"
import { onto, type OpenPolicy, standingBranch, withDrafts } from "./OpenPolicy.ts"
import { QuotesOfPolicies } from "./QuotesOfPolicies.ts"
import { rebased } from "./Rebasing.ts"

/** An offer that the worker can't bring up to the trunk by itself; the policy is parked with it. */
export class OfferStale extends Data.TaggedError("OfferStale")<{ readonly reason: string }> {}

export class StaleOffers extends Context.Service<
  StaleOffers,
  {
    /**
     * Rebases the offers of a policy that are behind its trunk, and quotes those anew whose price has
     * moved; part of a transaction that holds its head. What somebody has accepted stays accepted where
     * the offer is a renewal, as it does when one is merged; a repricing waits for him again.
     */
    refresh(policy: OpenPolicy): Effect.Effect<OpenPolicy, OfferStale, CurrentTenant>
  }
>()("@quittance/operations/StaleOffers") {
  static readonly layer = Layer.effect(
    StaleOffers,
    Effect.gen(function* () {
      const offers = yield* Offers
      const quotes = yield* QuotesOfPolicies

      const bringUp = Effect.fnUntraced(function* (policy: OpenPolicy, { id }: BranchRow) {
        const offer = onto(policy, id)
        const { branch, state } = offer
        const result = Result.mapError(
          rebased(offer, []),
          () =>
            new OfferStale({ reason: `${named(branch)} contradicts a change in force; rebase it.` })
        )
        const { drafts, row } = yield* Effect.fromResult(result)
        const branches = offer.branches.map((one) => (one.id === id ? row : one))
        const up = { ...offer, branch: row, branches }
        const fits = yield* Effect.isSuccess(quotes.fresh({ ...up, ...withDrafts(up, drafts) }))
        const stage = stageAfterRebase(state.stage, fits)
        const rebase = { command: "branch.rebase", branch: row, drafts: [...drafts, stage] }
        const moved = yield* offers.record(offer, rebase, job)
        if (fits || state.stage === "DRAFT") return moved
        const quoted = yield* Effect.mapError(
          offers.quote(moved, job),
          (failure) =>
            new OfferStale({ reason: `${named(branch)} has no price. ${reasonOfNoOffer(failure)}` })
        )
        const isAccepted = state.stage === "CONFIRMED" && branch.branchType === "RENEWAL"
        if (!isAccepted) return quoted
        const accept = { branch: quoted.branch, drafts: [moveTo("CONFIRM", "CONFIRMED")] }
        return yield* offers.record(quoted, { command: "branch.confirm", ...accept }, job)
      })

      const refresh = Effect.fn("StaleOffers.refresh")(function* (policy: OpenPolicy) {
        let current = policy
        for (const branch of staleOffers(policy)) current = yield* bringUp(current, branch)
        return onto(current, standingBranch(current).id)
      })

      return StaleOffers.of({ refresh })
    })
  ).pipe(Layer.provide([Offers.layer, QuotesOfPolicies.layer]))
}

/** Who keeps offers up to what is in force. */
export const job: Actor = { kind: "JOB", id: "offers", requestId: "offers" }

const named = ({ branchType, id }: BranchRow): string =>
  `The ${branchType === "RENEWAL" ? "renewal" : "repricing"} on branch ${id}`

/** The open offers since whose fork the trunk has come to other prices. */
export const staleOffers = (policy: OpenPolicy): ReadonlyArray<BranchRow> => {
  const { branches, changes, head, productOf } = policy
  const lineage = { branchId: head.defaultBranchId }
  const onTrunk = changes.filter(({ branchId }) => branchId === head.defaultBranchId)
  const last = onTrunk.at(-1)?.seq ?? 0
  return branches.filter(({ branchType, forkedSeq, status }) => {
    const isOffer = branchType === "RENEWAL" || branchType === "REPRICING"
    if (!isOffer || status !== "OPEN" || forkedSeq >= last) return false
    const atFork = onTrunk.filter(({ seq }) => seq <= forkedSeq)
    // A stop moves no price: what it hides shows again once it is undone.
    const [before, now] = [atFork, onTrunk].map((log) => withoutStops(log, lineage))
    return pricedDiffers(before!, now!, lineage, productOf)
  })
}
