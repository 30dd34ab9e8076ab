/** Payees against the lists of asset freezes that operators have loaded. */
import { NotScreened, type ScreeningAnswer } from "@quittance/domain/payouts/Payout"
import {
  isLike,
  type LoadedList,
  type ScreeningList,
  wordsOf
} from "@quittance/domain/payouts/Screening"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { fromEpochMillis, type Instant } from "@quittance/domain/values/Instant"
import { ScreeningRepo } from "@quittance/persistence/payouts/ScreeningRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { Clock, Context, Effect, Layer } from "effect"

export class Screening extends Context.Service<
  Screening,
  {
    /** Whether a name may be on the list; without a list nothing leaves in production. */
    screen(name: string, now: Instant): Effect.Effect<ScreeningAnswer, NotScreened, CurrentTenant>
    /** Adds a list, which counts from now on. A version that was loaded before changes nothing. */
    load(list: ScreeningList): Effect.Effect<{ readonly isNew: boolean }, never, CurrentTenant>
    /** The list that counts. */
    readonly current: Effect.Effect<LoadedList | undefined, never, CurrentTenant>
  }
>()("@quittance/operations/Screening") {
  static readonly layer = Layer.effect(
    Screening,
    Effect.gen(function* () {
      const repo = yield* ScreeningRepo
      const tenants = yield* TenantsRepo
      const tenantSql = yield* TenantSql

      const screen = Effect.fn("Screening.screen")(function* (name: string, screenedAt: Instant) {
        const list = yield* repo.current
        if (list === undefined) {
          const tenant = yield* tenants.find(yield* CurrentTenant)
          if (tenant?.environment === "production") return yield* new NotScreened({})
          return { result: "NOT_SCREENED", screenedAt } as const
        }
        const { version: listVersion } = list
        const like = (yield* repo.candidates(listVersion, wordsOf(name))).filter((listed) =>
          isLike(name, listed.name)
        )
        const entries = [...new Set(like.map(({ entryId }) => entryId))]
        return entries.length === 0
          ? ({ result: "CLEAR", listVersion, screenedAt } as const)
          : ({ result: "HIT", listVersion, entries, screenedAt } as const)
      })

      const load = Effect.fn("Screening.load")(function* ({ entries, version }: ScreeningList) {
        const names = entries.flatMap(({ id, names: all }) =>
          all.map((name) => ({ entryId: id, name, words: wordsOf(name) }))
        )
        // The list is the operator's, so it is dated by real time.
        const at = fromEpochMillis(yield* Clock.currentTimeMillis)
        const isNew = yield* tenantSql.transaction(
          repo.load({ version, entries: entries.length, names }, at)
        )
        return { isNew }
      })

      return Screening.of({ screen, load, current: repo.current })
    })
  ).pipe(Layer.provide([ScreeningRepo.layer, TenantsRepo.layer]))
}
