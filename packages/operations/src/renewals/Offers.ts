/** Branches that the service opens by itself, on a new version of the product, and prices at once. */
import type { StoredBranch } from "@quittance/domain/policies/aggregate/StoredBranch"
import type { Instant } from "@quittance/domain/values/Instant"
import type { Draft } from "@quittance/domain/policies/PolicyCommands"
import type { Product } from "@quittance/domain/products/Product"
import { Ids } from "@quittance/persistence/sql/Ids"
import { compile } from "@quittance/pricing/Engine"
import { Context, Effect, Layer, Result } from "effect"
import { inTurns } from "../values/InTurns.ts"
import type { Actor } from "../requests/Actor.ts"
import { newBranch } from "@quittance/domain/branches/BranchRecords"
import { onto, type PolicyAggregate } from "@quittance/domain/policies/aggregate/PolicyAggregate"
import { PolicyLog } from "../policies/PolicyLog.ts"
import { type CommandPrice, PriceWanted } from "../products/QuoteProvider.ts"
import { type QuotingFailure, SegmentQuotes } from "../quotes/SegmentQuotes.ts"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type {
  InvalidEffectiveDate,
  InvalidTransition
} from "@quittance/domain/requests/RequestErrors"

export interface Offer {
  readonly branchType: "RENEWAL" | "REPRICING"
  readonly name: string
  readonly effectiveAt: Instant
  /** The version that it moves the policy to. */
  readonly product: Product
  /** What it changes. */
  readonly drafts: ReadonlyArray<Draft>
}

export class Offers extends Context.Service<
  Offers,
  {
    /** Opens a branch; answers the policy on it. Part of a transaction, like all of these. */
    open(
      policy: PolicyAggregate,
      offer: Offer,
      actor: Actor
    ): Effect.Effect<PolicyAggregate, InvalidTransition, CurrentTenant>
    /** Prices a branch as it is now; answers the policy on it. */
    quote(
      policy: PolicyAggregate,
      actor: Actor
    ): Effect.Effect<PolicyAggregate, QuotingFailure, CurrentTenant>
    /** Leaves the branch to people, who find it among what is parked; the policy goes on without it. */
    park(
      policy: PolicyAggregate,
      reason: string,
      actor: Actor
    ): Effect.Effect<PolicyAggregate, never, CurrentTenant>
    /** Records changes of a branch; answers the policy on it. */
    record(
      policy: PolicyAggregate,
      change: {
        readonly command: string
        readonly branch: StoredBranch
        readonly drafts: ReadonlyArray<Draft>
      },
      actor: Actor
    ): Effect.Effect<PolicyAggregate, never, CurrentTenant>
  }
>()("@quittance/operations/Offers") {
  static readonly layer = Layer.effect(
    Offers,
    Effect.gen(function* () {
      const ids = yield* Ids
      const log = yield* PolicyLog
      const segmentQuotes = yield* SegmentQuotes

      const record: Offers["Service"]["record"] = (policy, { branch, command, drafts }, actor) =>
        Effect.map(
          log.record(
            policy,
            {
              command,
              branches: [branch],
              changes: drafts.map((draft) => ({ branchId: branch.id, draft }))
            },
            actor
          ),
          (after) => onto(after, branch.id)
        )

      const quote = Effect.fn("Offers.quote")(function* (policy: PolicyAggregate, actor: Actor) {
        const { drafts } = yield* segmentQuotes.give(policy, {}, builtIn)
        const { branch } = policy
        return yield* record(policy, { command: "branch.quote", branch, drafts }, actor)
      })

      const open = Effect.fn("Offers.open")(function* (
        policy: PolicyAggregate,
        { branchType, drafts, effectiveAt, name, product }: Offer,
        actor: Actor
      ) {
        const opening = { id: ids.next("branch"), branchType, name, effectiveAt, author: actor.id }
        const { changes, row } = yield* Effect.fromResult(newBranch(policy, opening))
        return yield* record(
          knowing(policy, product),
          {
            command: "branch.open",
            branch: row,
            drafts: [...changes.map(({ draft }) => draft), ...drafts]
          },
          actor
        )
      })

      const park = Effect.fn("Offers.park")(function* (
        offer: PolicyAggregate,
        reason: string,
        actor: Actor
      ) {
        const { branch, head, now } = offer
        yield* Effect.logWarning("Set an offer aside", {
          policyId: head.id,
          branchId: branch.id,
          reason
        })
        const row = { ...branch, aside: { reason, at: now, seq: lastOnTrunk(offer) } }
        const change = { command: "branch.set-aside", branch: row, drafts: [] }
        return yield* record(offer, change, actor)
      })

      return Offers.of({ open, quote, record, park })
    })
  ).pipe(Layer.provide([PolicyLog.layer, SegmentQuotes.layer]))
}

/** The number of the base branch's last change. */
export const lastOnTrunk = ({ changes, head }: PolicyAggregate): number =>
  changes.findLast(({ branchId }) => branchId === head.defaultBranchId)?.seq ?? 0

/** The policy with one more version of its product at hand. */
const knowing = (policy: PolicyAggregate, product: Product): PolicyAggregate => ({
  ...policy,
  productOf: (state) =>
    state.productVersion === product.version ? product : policy.productOf(state)
})

/** No provider is called while policies are locked. */
const builtIn: CommandPrice = (question) =>
  question.product.quoteProvider === undefined
    ? Effect.flatMap(
        inTurns(() => compile(question.product).priceInSlices(question.input)),
        (result) => Effect.fromResult(Result.mapError(result, ([first]) => first))
      )
    : Effect.fail(new PriceWanted({ question }))

/** Why there is no offer, as a sentence for the policy's manager. */
export const reasonOfNoOffer = (
  failure: QuotingFailure | InvalidEffectiveDate | InvalidTransition
): string =>
  failure instanceof PriceWanted
    ? "Another program prices the product: quote the branch by hand."
    : failure.message
