/** The end of each term: the next one offered, priced and put into effect, or the policy ended. */
import type { Change } from "@quittance/domain/Change"
import * as Contract from "@quittance/domain/ContractCommands"
import { type Draft, moveTo } from "@quittance/domain/PolicyCommands"
import type { Product } from "@quittance/domain/Product"
import { nextRenewalStep, renew, type RenewalStep } from "@quittance/domain/Renewal"
import type { CurrentTenant } from "@quittance/domain/Tenant"
import { Ids } from "@quittance/persistence/Ids"
import type { BranchRow } from "@quittance/persistence/PolicyLogRepo"
import { ProductsRepo } from "@quittance/persistence/ProductsRepo"
import { compile } from "@quittance/pricing/Engine"
import { Context, Data, Effect, Layer, Result } from "effect"
import type { Actor } from "./Actor.ts"
import { type Merged, mergedEndorsement } from "./Merging.ts"
import { onto, type OpenPolicy, type Recorded, standingBranch, stateOf } from "./OpenPolicy.ts"
import { PolicyLog } from "./PolicyLog.ts"
import { type CommandPrice, PriceWanted } from "./QuoteProvider.ts"
import { QuotesOfPolicies } from "./QuotesOfPolicies.ts"
import { rebased } from "./Rebasing.ts"
import { SegmentQuotes } from "./SegmentQuotes.ts"

/** A renewal that the worker can't bring about by itself; the policy is parked with it. */
export class RenewalFailed extends Data.TaggedError("RenewalFailed")<{
  readonly reason: string
}> {}

export class Renewals extends Context.Service<
  Renewals,
  {
    /** Runs what is due of a policy's renewal by its now; part of a transaction that holds its head. */
    run(policy: OpenPolicy): Effect.Effect<OpenPolicy, RenewalFailed, CurrentTenant>
  }
>()("@quittance/operations/Renewals") {
  static readonly layer = Layer.effect(
    Renewals,
    Effect.gen(function* () {
      const ids = yield* Ids
      const log = yield* PolicyLog
      const products = yield* ProductsRepo
      const quotes = yield* QuotesOfPolicies
      const segmentQuotes = yield* SegmentQuotes

      const record = (
        policy: OpenPolicy,
        command: string,
        branch: BranchRow,
        drafts: ReadonlyArray<Draft>
      ) =>
        Effect.map(
          log.record(
            policy,
            {
              command,
              branches: [branch],
              changes: drafts.map((draft) => ({ branchId: branch.id, draft }))
            },
            job
          ),
          (after) => onto(after, branch.id)
        )

      /** The offer priced as it is now; a branch that is not the trunk's present is rebased before. */
      const quoted = Effect.fnUntraced(function* (policy: OpenPolicy) {
        const { drafts } = yield* segmentQuotes.give(policy, {}, builtIn)
        return yield* record(policy, "renewal.quote", policy.branch, drafts)
      })

      const offered = Effect.fnUntraced(function* (
        policy: OpenPolicy,
        effectiveAt: Change["effectiveAt"],
        product: Product
      ) {
        const { head, now, state } = policy
        const row: BranchRow = {
          ...standingBranch(policy),
          id: ids.next("branch"),
          branchType: "RENEWAL",
          name: `Renewal ${(state.terms ?? 1) + 1}`,
          status: "OPEN",
          stage: "DRAFT",
          effectiveAt,
          forkedAt: now,
          forkedSeq: head.changeSeq,
          seq: 0,
          author: job.id,
          createdAt: now
        }
        const drafts = [moveTo("CREATE", "DRAFT"), renew(state, effectiveAt, product.version)]
        const opened = yield* record(knowing(policy, product), "renewal.open", row, drafts)
        return yield* quoted(opened)
      })

      const open = Effect.fnUntraced(function* (
        policy: OpenPolicy,
        effectiveAt: Change["effectiveAt"]
      ) {
        const current = yield* Effect.orDie(products.current(policy.head.productId))
        return yield* offered(policy, effectiveAt, current)
      })

      const merge = Effect.fnUntraced(function* (policy: OpenPolicy, { branchId }: MergeStep) {
        const offer = onto(policy, branchId)
        const result = Result.mapError(
          rebased(offer, []),
          () => "The renewal contradicts a change in force; rebase its branch."
        )
        const { drafts, row } = yield* Effect.mapError(Effect.fromResult(result), failed)
        const moved = yield* record(offer, "renewal.rebase", row, drafts)
        const asOffered = yield* mergedAs(moved)
        // An offer holds to the end of the term, however long a quote does.
        const fits = yield* Effect.isSuccess(quotes.requireFitting(asOffered.segments))
        if (fits) return yield* log.record(moved, merging(asOffered), job)
        // A change in force since then, which was agreed to like the renewal, has made another price.
        const reopened = yield* record(moved, "renewal.reopen", row, [moveTo("REOPEN", "QUOTED")])
        const fresh = yield* quoted(reopened)
        return yield* log.record(fresh, merging(yield* mergedAs(fresh)), job)
      })

      const end = Effect.fnUntraced(function* (policy: OpenPolicy, { dueAt, reason }: EndStep) {
        const { changes, now } = policy
        const trunk = standingBranch(policy)
        const stop = { reason, createdAt: now }
        const state = stateOf(changes, { branchId: trunk.id }, dueAt)
        const decided = Contract.stop(state, { effectiveAt: dueAt, now, stop })
        const drafts = yield* Effect.fromResult(
          Result.mapError(decided, ({ message }) => failed(message))
        )
        return yield* record(policy, "renewal.end", trunk, drafts)
      })

      const take = Effect.fnUntraced(function* (policy: OpenPolicy, step: RenewalStep) {
        switch (step.kind) {
          case "OPEN":
            return yield* open(policy, step.effectiveAt)
          case "MERGE":
            return yield* merge(policy, step)
          case "END":
            return yield* end(policy, step)
        }
      })

      const run = Effect.fn("Renewals.run")(function* (policy: OpenPolicy) {
        let current = policy
        for (let step = due(current); step !== undefined; step = due(current)) {
          const taken: OpenPolicy = yield* Effect.mapError(take(current, step), asFailed)
          current = onto(taken, standingBranch(taken).id)
        }
        return current
      })

      return Renewals.of({ run })
    })
  ).pipe(Layer.provide([PolicyLog.layer, QuotesOfPolicies.layer, SegmentQuotes.layer]))
}

const mergedAs = (offer: OpenPolicy): Effect.Effect<Merged, RenewalFailed> =>
  Effect.fromResult(Result.mapError(mergedEndorsement(offer), ({ message }) => failed(message)))

const merging = ({ recorded }: Merged): Recorded => ({ command: "renewal.merge", ...recorded })

type MergeStep = Extract<RenewalStep, { readonly kind: "MERGE" }>
type EndStep = Extract<RenewalStep, { readonly kind: "END" }>

const job: Actor = { kind: "JOB", id: "renewals", requestId: "renewals" }

/** The next step of a policy's renewal, due or not. */
export const renewalStepOf = (policy: OpenPolicy): RenewalStep | undefined => {
  const { branches, changes, productOf } = policy
  const state = stateOf(changes, { branchId: standingBranch(policy).id })
  return nextRenewalStep(productOf(state), state, branches)
}

const due = (policy: OpenPolicy): RenewalStep | undefined => {
  const step = renewalStepOf(policy)
  return step !== undefined && step.dueAt <= policy.now ? step : undefined
}

/** The policy with one more version of its product at hand. */
const knowing = (policy: OpenPolicy, product: Product): OpenPolicy => ({
  ...policy,
  productOf: (state) =>
    state.productVersion === product.version ? product : policy.productOf(state)
})

/** The worker asks nobody over the network while it holds policies. */
const builtIn: CommandPrice = (question) =>
  question.product.quoteProvider === undefined
    ? Effect.fromResult(
        Result.mapError(compile(question.product).price(question.input), ([first]) => first)
      )
    : Effect.fail(new PriceWanted({ question }))

const failed = (reason: string) => new RenewalFailed({ reason })

const asFailed = (failure: Error): RenewalFailed =>
  failure instanceof RenewalFailed
    ? failure
    : failed(
        failure instanceof PriceWanted
          ? "Another program prices the product: quote the renewal's branch."
          : `The renewal has no price: ${failure.message}`
      )
