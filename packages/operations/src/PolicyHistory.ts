/** What was recorded of a policy, and what is in force over effective time. */
import type { CurrentCaller } from "@quittance/domain/Caller"
import type { Change } from "@quittance/domain/Change"
import { segments, visible } from "@quittance/domain/ChangeView"
import { status } from "@quittance/domain/Lifecycle"
import * as Page from "@quittance/domain/Page"
import type { PolicyId } from "@quittance/domain/Policy"
import type { PolicyState } from "@quittance/domain/PolicyState"
import type { PolicyTimeline } from "@quittance/domain/PolicyTimeline"
import { isGated } from "@quittance/domain/PolicyView"
import type { CurrentTenant } from "@quittance/domain/Tenant"
import { PoliciesRepo } from "@quittance/persistence/PoliciesRepo"
import { PolicyLogRepo } from "@quittance/persistence/PolicyLogRepo"
import { ProductsRepo } from "@quittance/persistence/ProductsRepo"
import { QuotesRepo } from "@quittance/persistence/QuotesRepo"
import { Context, Effect, Layer } from "effect"
import type { CurrentRequest } from "./CurrentRequest.ts"
import { productsOf } from "./OpenPolicy.ts"
import type { AccessFailure } from "./PolicyReader.ts"

type Scoped = CurrentTenant | CurrentCaller | CurrentRequest

export class PolicyHistory extends Context.Service<
  PolicyHistory,
  {
    /** Every change on every branch, the latest first. */
    changes(
      policyId: PolicyId,
      page: Page.PageRequest
    ): Effect.Effect<Page.Page<Change>, AccessFailure, Scoped>
    /** The states of the branch that the policy is read on by default, over effective time. */
    timeline(policyId: PolicyId): Effect.Effect<PolicyTimeline, AccessFailure, Scoped>
  }
>()("@quittance/operations/PolicyHistory") {
  static readonly layer = Layer.effect(
    PolicyHistory,
    Effect.gen(function* () {
      const log = yield* PolicyLogRepo
      const policies = yield* PoliciesRepo
      const products = yield* ProductsRepo
      const quotes = yield* QuotesRepo

      const changes = Effect.fn("PolicyHistory.changes")(function* (
        policyId: PolicyId,
        page: Page.PageRequest
      ) {
        yield* policies.authorize("policy.read", policyId)
        const all = (yield* log.changes(policyId)).toReversed()
        const first = (page.page - 1) * page.count
        return Page.make(all.slice(first, first + page.count), all.length, page)
      })

      const timeline = Effect.fn("PolicyHistory.timeline")(function* (policyId: PolicyId) {
        const { head } = yield* policies.authorize("policy.read", policyId)
        const logged = yield* log.changes(policyId)
        const productOf = yield* productsOf(products, head, logged)
        const lineage = { branchId: head.defaultBranchId }
        const seen = visible(logged, lineage)
        const found = segments(logged, lineage).map(({ from, state, to }) => ({
          from,
          to,
          // What commands recorded has this shape by construction.
          state: state as unknown as PolicyState
        }))
        const rows = yield* quotes.findMany(
          found.flatMap(({ state: { quoteId } }) => (quoteId === undefined ? [] : [quoteId]))
        )
        const known = new Map(rows.map(({ document, id }) => [id, document.quote]))
        return {
          segments: found.map(({ from, state, to }) => {
            const quote = state.quoteId === undefined ? undefined : known.get(state.quoteId)
            return {
              from,
              ...(to === undefined ? {} : { to }),
              status: status({ ...state, gated: isGated(productOf(state), state) }),
              ...(quote === undefined ? {} : { quote }),
              changeIds: seen.filter(({ effectiveAt }) => effectiveAt === from).map(({ id }) => id)
            }
          })
        }
      })

      return PolicyHistory.of({ changes, timeline })
    })
  ).pipe(Layer.provide([PoliciesRepo.layer, PolicyLogRepo.layer, QuotesRepo.layer]))
}
