/** The end of each term: the next one offered, priced and put into effect, or the policy ended. */
import type { StoredBranch } from "@quittance/domain/policies/aggregate/StoredBranch"
import type { QuoteRecord } from "@quittance/domain/policies/aggregate/QuoteRecord"
import * as Contract from "@quittance/domain/policies/LifecycleCommands"
import type { Instant } from "@quittance/domain/values/Instant"
import type { DerogationRequired } from "@quittance/domain/products/Derogation"
import { moveTo } from "@quittance/domain/policies/PolicyCommands"
import { pricedDiffers } from "@quittance/domain/policies/PricedTimeline"
import { nextRenewalStep, renew, type RenewalStep } from "@quittance/domain/renewals/Renewal"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { Context, Data, Effect, Layer, Result } from "effect"
import { renewalsJobName } from "@quittance/domain/requests/Actor"
import type { Actor } from "../requests/Actor.ts"
import { stageAfterRebase } from "@quittance/domain/branches/BranchRecords"
import { ExternalIds } from "../policies/ExternalIds.ts"
import { branchesStopped } from "@quittance/domain/policies/aggregate/InvalidatedBranches"
import { type Merged, mergedEndorsement } from "@quittance/domain/branches/BranchMerging"
import { Offers, reasonOfNoOffer } from "./Offers.ts"
import {
  lineageOf,
  onBranch,
  onto,
  type PolicyAggregate,
  type Recorded,
  baseBranch,
  stateOf
} from "@quittance/domain/policies/aggregate/PolicyAggregate"
import { PolicyLog } from "../policies/PolicyLog.ts"
import { QuotesOfPolicies } from "../policies/PolicyQuotes.ts"
import { rebased } from "@quittance/domain/branches/Rebasing"
import { requireNoDerogation } from "../quotes/SaleGates.ts"
import type { QuotingFailure } from "../quotes/SegmentQuotes.ts"
import { job as offersJob, noPrice } from "./StaleOffers.ts"
import { baseState } from "@quittance/domain/policies/aggregate/BaseTimeline"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { InvalidTransition } from "@quittance/domain/requests/RequestErrors"

/** A renewal that the worker can't bring about by itself; the policy is parked with it. */
export class RenewalFailed extends Data.TaggedError("RenewalFailed")<{
  readonly reason: string
}> {}

export class Renewals extends Context.Service<
  Renewals,
  {
    /** Runs what is due of a policy's renewal by its now; part of a transaction that holds its head. */
    run(policy: PolicyAggregate): Effect.Effect<PolicyAggregate, RenewalFailed, CurrentTenant>
  }
>()("@quittance/operations/Renewals") {
  static readonly layer = Layer.effect(
    Renewals,
    Effect.gen(function* () {
      const externalIds = yield* ExternalIds
      const log = yield* PolicyLog
      const offers = yield* Offers
      const products = yield* ProductsRepo
      const quotes = yield* QuotesOfPolicies

      const open = Effect.fnUntraced(function* (policy: PolicyAggregate, effectiveAt: Instant) {
        const { head, state } = policy
        const product = yield* Effect.orDie(products.current(head.productId))
        const offer = {
          branchType: "RENEWAL",
          name: `Renewal ${(state.terms ?? 1) + 1}`,
          effectiveAt,
          product,
          drafts: [renew(state, effectiveAt, product.version)]
        } as const
        const opened = yield* offers.open(policy, offer, job)
        const quoted = yield* Effect.result(offers.quote(opened, job))
        if (Result.isSuccess(quoted)) return quoted.success
        return yield* offers.park(opened, noPrice(opened.branch, quoted.failure), job)
      })

      const recordMerge = Effect.fnUntraced(function* (
        policy: PolicyAggregate,
        merged: Merged,
        accepted: ReadonlyArray<QuoteRecord>
      ) {
        yield* Effect.mapError(requireNoDerogation(accepted), referred)
        const recorded = merging(merged)
        const settled = externalIds.settle(policy, recorded)
        yield* Effect.mapError(settled, ({ message }) => failed(message))
        return yield* log.record(policy, recorded, job)
      })

      const merge = Effect.fnUntraced(function* (policy: PolicyAggregate, { branchId }: MergeStep) {
        const offer = onto(policy, branchId)
        const result = Result.mapError(
          rebased(offer, []),
          () => "The renewal contradicts a change in force; rebase its branch."
        )
        const { drafts, row } = yield* Effect.mapError(Effect.fromResult(result), failed)
        // Whether its quotes still fit is seen below.
        const step = stageAfterRebase(offer.state.stage, true)
        const rebase = { command: "branch.rebase", branch: row, drafts: [...drafts, step] }
        const moved = yield* offers.record(offer, rebase, job)
        const asOffered = yield* mergedAs(moved)
        // An offer holds to the end of the term, however long a quote does.
        const fitting = yield* Effect.result(quotes.requireFitting(asOffered.segments))
        if (Result.isSuccess(fitting)) {
          return yield* recordMerge(moved, asOffered, fitting.success)
        }
        // A change in force since then, which was agreed to like the renewal, has made another price.
        const reopen = {
          command: "branch.reopen",
          branch: row,
          drafts: [moveTo("REOPEN", "QUOTED")]
        }
        const fresh = yield* offers.quote(yield* offers.record(moved, reopen, job), job)
        const asQuoted = yield* mergedAs(fresh)
        const given = yield* Effect.mapError(quotes.requireFitting(asQuoted.segments), asFault)
        return yield* recordMerge(fresh, asQuoted, given)
      })

      const end = Effect.fnUntraced(function* (
        policy: PolicyAggregate,
        { dueAt, reason }: EndStep
      ) {
        const { now } = policy
        const base = baseBranch(policy)
        const stop = { reason, createdAt: now }
        const state = stateOf(policy.changes, { branchId: base.id }, dueAt)
        const decided = Contract.stop(state, { effectiveAt: dueAt, now, stop })
        const drafts = yield* Effect.fromResult(
          Result.mapError(decided, ({ message }) => failed(message))
        )
        // An offer of the term that does not come goes with it.
        const branches = branchesStopped(policy, drafts)
        const changes = onBranch(onto(policy, base.id), drafts)
        return yield* log.record(policy, { command: "policy.end", changes, branches }, job)
      })

      const take = Effect.fnUntraced(function* (policy: PolicyAggregate, step: RenewalStep) {
        switch (step.kind) {
          case "OPEN":
            return yield* open(policy, step.effectiveAt)
          case "MERGE":
            return yield* merge(policy, step)
          case "END":
            return yield* end(policy, step)
        }
      })

      const run = Effect.fn("Renewals.run")(function* (policy: PolicyAggregate) {
        let current = policy
        for (let step = due(current); step !== undefined; step = due(current)) {
          const taken: PolicyAggregate = yield* Effect.mapError(take(current, step), asFailed)
          current = onto(taken, baseBranch(taken).id)
        }
        return current
      })

      return Renewals.of({ run })
    })
  ).pipe(Layer.provide([ExternalIds.layer, Offers.layer, PolicyLog.layer, QuotesOfPolicies.layer]))
}

const mergedAs = (offer: PolicyAggregate): Effect.Effect<Merged, RenewalFailed> =>
  Effect.fromResult(Result.mapError(mergedEndorsement(offer), ({ message }) => failed(message)))

const merging = ({ recorded }: Merged): Recorded => ({ command: "branch.merge", ...recorded })

type MergeStep = Extract<RenewalStep, { readonly kind: "MERGE" }>
type EndStep = Extract<RenewalStep, { readonly kind: "END" }>

const job: Actor = { kind: "JOB", id: renewalsJobName, requestId: renewalsJobName }

/** Who offers renewals and keeps them up to what is in force. */
const offering: ReadonlySet<string> = new Set([job.id, offersJob.id])

/** The next step of a policy's renewal, due or not. */
export const renewalStepOf = (policy: PolicyAggregate): RenewalStep | undefined => {
  const { branches, productOf } = policy
  const state = baseState(policy)
  const offers = branches.map((branch) => ({
    ...branch,
    own: branch.author === job.id,
    asOffered: branch.branchType === "RENEWAL" && isAsOffered(policy, branch)
  }))
  return nextRenewalStep(productOf(state), state, offers)
}

const due = (policy: PolicyAggregate): RenewalStep | undefined => {
  const step = renewalStepOf(policy)
  return step !== undefined && step.dueAt <= policy.now ? step : undefined
}

/** Whether the worker would offer a renewal as it is: its own, with an unchanged price. */
const isAsOffered = (policy: PolicyAggregate, branch: StoredBranch): boolean => {
  if (branch.author !== job.id) return false
  const { branches, changes, productOf } = policy
  const byHand = changes.filter(
    ({ author, branchId }) => branchId === branch.id && !offering.has(author)
  )
  if (byHand.length === 0) return true
  const offered = changes.filter((change) => !byHand.includes(change))
  return !pricedDiffers(offered, changes, lineageOf(branches, branch), productOf)
}

const referred = ({ derogations }: DerogationRequired) => {
  const labels = derogations.map(({ label }) => label).join("; ")
  return failed(
    `A rule of the product refers the renewal to an underwriter: ${labels}. Change what it objects to and accept the renewal, or refuse it.`
  )
}

const asFault = ({ message }: { readonly message: string }) => failed(message)

const failed = (reason: string) => new RenewalFailed({ reason })

const asFailed = (failure: RenewalFailed | QuotingFailure | InvalidTransition): RenewalFailed =>
  failure instanceof RenewalFailed
    ? failure
    : failed(`The renewal has no price. ${reasonOfNoOffer(failure)}`)
