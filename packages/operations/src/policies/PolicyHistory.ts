/** What was recorded of a policy, and what is in force over effective time. */
import type { QuoteRecord } from "@quittance/domain/policies/aggregate/QuoteRecord"
import type { CurrentCaller } from "@quittance/domain/requests/Caller"
import type { Change } from "@quittance/domain/policies/Change"
import { segments, visible } from "@quittance/domain/policies/ChangeView"
import { status } from "@quittance/domain/policies/Lifecycle"
import * as Page from "@quittance/domain/values/Page"
import type { PolicyState } from "@quittance/domain/policies/PolicyState"
import type { PolicyTimeline } from "@quittance/domain/policies/PolicyTimeline"
import { awaitsFirstPayment, shownOn } from "@quittance/domain/policies/PolicyView"
import { QuotesRepo } from "@quittance/persistence/policies/QuotesRepo"
import { Context, Effect, Layer } from "effect"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { lineageOf } from "@quittance/domain/policies/aggregate/PolicyAggregate"
import { pricedHash } from "./PolicyQuotes.ts"
import { type BranchRequest, PolicyReader, type ReadFailure } from "./PolicyReader.ts"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

type Scoped = CurrentTenant | CurrentCaller | CurrentRequest

export class PolicyHistory extends Context.Service<
  PolicyHistory,
  {
    /** Every change on every branch, or all that one branch is folded from; the latest first. */
    changes(
      request: BranchRequest,
      page: Page.PageRequest
    ): Effect.Effect<Page.Page<Change>, ReadFailure, Scoped>
    /** The states of a branch, else of the one that the policy is read on, over effective time. */
    timeline(request: BranchRequest): Effect.Effect<PolicyTimeline, ReadFailure, Scoped>
  }
>()("@quittance/operations/PolicyHistory") {
  static readonly layer = Layer.effect(
    PolicyHistory,
    Effect.gen(function* () {
      const quotes = yield* QuotesRepo
      const reader = yield* PolicyReader

      const changes = Effect.fn("PolicyHistory.changes")(function* (
        request: BranchRequest,
        page: Page.PageRequest
      ) {
        const all = (yield* reader.changes("policy.read", request)).toReversed()
        const first = (page.page - 1) * page.count
        return Page.make(all.slice(first, first + page.count), all.length, page)
      })

      const timeline = Effect.fn("PolicyHistory.timeline")(function* (request: BranchRequest) {
        const { branch, branches, changes, productOf } = yield* reader.open("policy.read", request)
        const lineage = lineageOf(branches, branch)
        const seen = visible(changes, lineage)
        const found = segments(changes, lineage).map(({ from, state, to }) => ({
          from,
          to,
          // What commands recorded has this shape by construction.
          state: shownOn(branch.branchType, state as unknown as PolicyState)
        }))
        const rows = yield* quotes.findMany(
          found.flatMap(({ state: { quoteId } }) => (quoteId === undefined ? [] : [quoteId]))
        )
        const known = new Map(rows.map((row) => [row.id, row]))
        // Of a draft a quote holds only where the state is still the one that it was given for.
        const isPriced = (row: QuoteRecord, state: PolicyState) =>
          branch.stage !== "DRAFT" || row.pricedHash === pricedHash(productOf(state), state)
        return {
          segments: found.map(({ from, state, to }) => {
            const row = state.quoteId === undefined ? undefined : known.get(state.quoteId)
            const quote = row !== undefined && isPriced(row, state) ? row.content.quote : undefined
            return {
              from,
              ...(to === undefined ? {} : { to }),
              status: status({ ...state, gated: awaitsFirstPayment(productOf(state), state) }),
              ...(quote === undefined ? {} : { quote }),
              changeIds: seen.filter(({ effectiveAt }) => effectiveAt === from).map(({ id }) => id)
            }
          })
        }
      })

      return PolicyHistory.of({ changes, timeline })
    })
  ).pipe(Layer.provide([PolicyReader.layer, QuotesRepo.layer]))
}
