/** The counters of invoice numbers: one for each series of a tenant, without gaps and in the order of the days. */
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { fromEpochMillis, type Instant, toEpochMillis } from "@quittance/domain/values/Instant"
import { Context, Effect, Layer } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { toDate } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"

export class InvoiceNumbersRepo extends Context.Service<
  InvoiceNumbersRepo,
  {
    /**
     * Takes the next `count` numbers of a series for invoices issued at an instant, and answers the first.
     * The series stays locked until the transaction ends, so that numbers have no gaps: take them last,
     * series by name.
     *
     * Numbers follow the days. The transaction may have waited here for another one, which has given the
     * numbers before these to a later day. Then it has lost a race: it ends, and what runs it runs it again.
     * No transaction waits for an hour. So numbers that are further ahead were given before the clock was set
     * back, and hold up nothing. Nor does a test clock, which people set.
     */
    take(
      series: string,
      count: number,
      issuedAt: Instant
    ): Effect.Effect<number, never, CurrentTenant>
  }
>()("@quittance/persistence/InvoiceNumbersRepo") {
  static readonly layer = Layer.effect(
    InvoiceNumbersRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const take = Effect.fn("InvoiceNumbersRepo.take")(function* (
        series: string,
        count: number,
        issuedAt: Instant
      ) {
        const tenantId = yield* CurrentTenant
        const quarter = toDate(startOfQuarter(issuedAt))
        const rows = yield* tenantSql.write(sql<{
          readonly value: bigint
          readonly isLate: boolean
        }>`
          INSERT INTO counter (tenant_id, series, value, given_at)
          VALUES (${tenantId}, ${series}, ${count}, ${quarter})
          ON CONFLICT (tenant_id, series) DO UPDATE SET
            value = counter.value + excluded.value,
            given_at = greatest(counter.given_at, excluded.given_at)
          RETURNING value,
            given_at > ${quarter} AND given_at <= ${quarter} + interval '1 hour' AND NOT EXISTS (
              SELECT FROM tenant t WHERE t.tenant_id = ${tenantId} AND t.test_clock IS NOT NULL
            ) AS "isLate"
        `)
        const { isLate, value } = rows[0]!
        if (isLate) return yield* Effect.die(tooLate(series))
        return Number(value) - count + 1
      }, Effect.orDie)

      return InvoiceNumbersRepo.of({ take })
    })
  )
}

/** Every offset of a time zone is a multiple of it, so that a day begins nowhere within a quarter. */
const quarterOfAnHour = 15 * 60_000

const startOfQuarter = (instant: Instant): Instant =>
  fromEpochMillis(Math.floor(toEpochMillis(instant) / quarterOfAnHour) * quarterOfAnHour)

/** It fails as a transaction of PostgreSQL does that has read what another one has changed. */
const tooLate = (series: string): SqlError.SqlError =>
  new SqlError.SqlError({
    reason: new SqlError.SerializationError({
      operation: "InvoiceNumbersRepo.take",
      cause: new Error(`A later day has a number of the series ${series} already.`)
    })
  })
