/** The journal of a tenant's books, for its accountants. */
import type { JournalEntry } from "@quittance/domain/accounting/Journal"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { addDays, type LocalDate } from "@quittance/domain/values/LocalDate"
import { localDate, startOfDay } from "@quittance/domain/values/TimeZone"
import { JournalRepo } from "@quittance/persistence/accounting/JournalRepo"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { Context, Effect, Layer, Schema } from "effect"

/** A journal is asked for days that are not over, whose entries are not all there, or for none. */
export class InvalidJournalDays extends Schema.TaggedError<InvalidJournalDays>()(
  "InvalidJournalDays",
  { from: Schema.String, to: Schema.String, last: Schema.String }
) {
  override get message() {
    return `No journal is from ${this.from} to ${this.to}: name a first day and a last day that is over, ${this.last} at the latest.`
  }
}

export class Journals extends Context.Service<
  Journals,
  {
    /**
     * Hands what was recorded from a day to another to a reader, some entries at a time. Days are those of
     * the tenant, and over, so that the same days have the same journal whenever it is asked for.
     *
     * @param to the last day, itself included
     */
    forEach<E, R>(
      days: { readonly from: LocalDate; readonly to: LocalDate },
      read: (entries: ReadonlyArray<JournalEntry>) => Effect.Effect<void, E, R>
    ): Effect.Effect<void, E | InvalidJournalDays, CurrentTenant | R>
  }
>()("@quittance/operations/Journals") {
  static readonly layer = Layer.effect(
    Journals,
    Effect.gen(function* () {
      const clock = yield* TenantClockRepo
      const repo = yield* JournalRepo
      const tenants = yield* TenantsRepo

      const forEach: Journals["Service"]["forEach"] = Effect.fnUntraced(function* (
        { from, to },
        read
      ) {
        // Who asks acts for a tenant that is there.
        const { timeZone } = (yield* tenants.find(yield* CurrentTenant))!
        const { now } = yield* clock.read
        const today = localDate(now, timeZone)
        if (from > to || to >= today) {
          return yield* new InvalidJournalDays({ from, to, last: addDays(today, -1) })
        }
        const period = {
          from: startOfDay(from, timeZone),
          before: startOfDay(addDays(to, 1), timeZone),
          timeZone
        }
        yield* repo.forEach(period, read)
      })

      return Journals.of({ forEach })
    })
  ).pipe(Layer.provide([JournalRepo.layer, TenantClockRepo.layer, TenantsRepo.layer]))
}
