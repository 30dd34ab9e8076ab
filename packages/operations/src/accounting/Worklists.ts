/** What people have to do about money, as far as the caller may see it. */
import type { Coverage } from "@quittance/auth/Grants"
import {
  actionOf,
  type Worklist,
  type WorklistKind,
  worklistKinds,
  withCommand
} from "@quittance/domain/accounting/Worklist"
import type { ListWorklist } from "@quittance/domain/accounting/AccountingRequests"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import * as Page from "@quittance/domain/values/Page"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { WorklistRepo } from "@quittance/persistence/accounting/WorklistRepo"
import { Context, Effect, Layer } from "effect"

const nowhere: Coverage = { _tag: "Records", firmIds: [], recordIds: [] }

export class Worklists extends Context.Service<
  Worklists,
  {
    /** What can be done the longest first, on the policies that the caller may see the bills of. */
    list(
      query: ListWorklist,
      page: Page.PageRequest
    ): Effect.Effect<Worklist, Forbidden, CurrentTenant | CurrentCaller>
  }
>()("@quittance/operations/Worklists") {
  static readonly layer = Layer.effect(
    Worklists,
    Effect.gen(function* () {
      const grants = yield* GrantsRepo
      const worklist = yield* WorklistRepo

      const list = Effect.fn("Worklists.list")(function* (
        query: ListWorklist,
        page: Page.PageRequest
      ) {
        const kinds = query.kinds ?? worklistKinds
        const coverage = yield* grants.coverage("billing.read")
        const where = (action: ReturnType<typeof actionOf>) =>
          Effect.catchTag(grants.coverage(action), "Forbidden", () => Effect.succeed(nowhere))
        const mayDo = {
          "billing.write": yield* where("billing.write"),
          "payment.write": yield* where("payment.write"),
          "collection.write": yield* where("collection.write")
        }
        const { counts, rows } = yield* worklist.list({
          kinds,
          page,
          coverage,
          mayDo: (kind: WorklistKind) => mayDo[actionOf(kind)]
        })
        const total = worklistKinds
          .filter((kind) => kinds.includes(kind))
          .reduce((sum, kind) => sum + counts[kind], 0)
        return { ...Page.make(rows.map(withCommand), total, page), counts }
      })

      return Worklists.of({ list })
    })
  ).pipe(Layer.provide([GrantsRepo.layer, WorklistRepo.layer]))
}
