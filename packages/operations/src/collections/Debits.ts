/** What is collected by debit, as people see it. */
import type { DebitFilter } from "@quittance/domain/collections/CollectionRequests"
import type { Debit, DebitId, DebitNotFound } from "@quittance/domain/collections/Debit"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import * as Page from "@quittance/domain/values/Page"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { DebitsRepo } from "@quittance/persistence/collections/DebitsRepo"
import { Context, Effect, Layer } from "effect"

type Asked = CurrentTenant | CurrentCaller

export class Debits extends Context.Service<
  Debits,
  {
    /** Those on policies that the caller may see, by the day of their collection, the latest first. */
    list(
      filter: DebitFilter,
      page: Page.PageRequest
    ): Effect.Effect<Page.Page<Debit>, Forbidden, Asked>
    get(id: DebitId): Effect.Effect<Debit, DebitNotFound | Forbidden, Asked>
  }
>()("@quittance/operations/Debits") {
  static readonly layer = Layer.effect(
    Debits,
    Effect.gen(function* () {
      const grants = yield* GrantsRepo
      const repo = yield* DebitsRepo

      const list = Effect.fn("Debits.list")(function* (
        filter: DebitFilter,
        page: Page.PageRequest
      ) {
        const coverage = yield* grants.coverage("collection.read")
        const { rows, total } = yield* repo.list({ filter, coverage, page })
        return Page.make(rows, total, page)
      })

      const get = Effect.fn("Debits.get")(function* (id: DebitId) {
        yield* repo.authorize("collection.read", id)
        return yield* repo.find(id)
      })

      return Debits.of({ list, get })
    })
  ).pipe(Layer.provide([DebitsRepo.layer, GrantsRepo.layer]))
}
