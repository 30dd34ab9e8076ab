/** The entries of a tenant in the order in which they were recorded, numbered from the first. */
import type { JournalEntry } from "@quittance/domain/accounting/Journal"
import { EntryKind } from "@quittance/domain/billing/Entry"
import { numberText } from "@quittance/domain/billing/InvoiceNumber"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { Currency } from "@quittance/domain/values/Amount"
import type { Instant } from "@quittance/domain/values/Instant"
import { localDate, type TimeZone } from "@quittance/domain/values/TimeZone"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn, IntColumn, toDate } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"

const Row = Schema.Struct({
  number: IntColumn,
  id: Schema.String,
  kind: EntryKind,
  sourceId: Schema.String,
  series: Schema.NullOr(Schema.String),
  invoiceNumber: Schema.NullOr(IntColumn),
  occurredAt: InstantColumn,
  recordedAt: InstantColumn,
  policyId: Schema.String,
  customerId: Schema.String,
  customerName: Schema.String,
  currency: Currency,
  accounts: Schema.Array(Schema.String),
  amounts: Schema.Array(IntColumn)
})
const decode = Schema.decodeUnknownEffect(Schema.Array(Row))

/** Of which time the journal is, and in which days. */
export interface JournalPeriod {
  readonly from: Instant
  /** Exclusive. */
  readonly before: Instant
  readonly timeZone: TimeZone
}

const pageSize = 1000

export class JournalRepo extends Context.Service<
  JournalRepo,
  {
    /**
     * Hands the entries that were recorded in a period to a reader, a thousand at a time and from one
     * snapshot, so that memory stays the same however many there are. It looks at all entries of the tenant.
     */
    forEach<E, R>(
      period: JournalPeriod,
      read: (entries: ReadonlyArray<JournalEntry>) => Effect.Effect<void, E, R>
    ): Effect.Effect<void, E, CurrentTenant | R>
  }
>()("@quittance/persistence/JournalRepo") {
  static readonly layer = Layer.effect(
    JournalRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const open = Effect.fnUntraced(function* ({ before, from }: JournalPeriod) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.read(sql`
          DECLARE journal NO SCROLL CURSOR FOR
          SELECT n.number, n.id, n.kind, n.source_id, i.series, i.number AS invoice_number,
            n.occurred_at, n.recorded_at, n.policy_id, n.customer_id,
            coalesce(c.name, n.customer_id) AS customer_name,
            n.currency, n.accounts, n.amounts
          FROM (
            SELECT e.*, row_number() OVER (ORDER BY e.recorded_at, e.id) AS number
            FROM entry e WHERE e.tenant_id = ${tenantId} AND e.recorded_at < ${toDate(before)}
          ) n
          LEFT JOIN LATERAL (
            SELECT v.name FROM customer_version v
            WHERE v.tenant_id = n.tenant_id AND v.customer_id = n.customer_id
              AND v.recorded_at <= n.recorded_at
            ORDER BY v.recorded_at DESC LIMIT 1
          ) c ON true
          LEFT JOIN invoice i ON i.tenant_id = n.tenant_id AND i.id = n.source_id
          WHERE n.recorded_at >= ${toDate(from)}
          ORDER BY n.number
        `)
      }, Effect.orDie)

      const next = Effect.gen(function* () {
        return yield* decode(
          yield* tenantSql.read(sql`FETCH ${sql.literal(String(pageSize))} FROM journal`)
        )
      }).pipe(Effect.orDie)

      const forEach = <E, R>(
        period: JournalPeriod,
        read: (entries: ReadonlyArray<JournalEntry>) => Effect.Effect<void, E, R>
      ) =>
        tenantSql.snapshot(
          Effect.gen(function* () {
            yield* open(period)
            while (true) {
              const rows = yield* next
              if (rows.length > 0) yield* read(rows.map((row) => entryOf(row, period.timeZone)))
              if (rows.length < pageSize) return
            }
          })
          // Readers fail for reasons of their own: failures of the database are defects above.
        ) as Effect.Effect<void, E, CurrentTenant | R>

      return JournalRepo.of({ forEach })
    })
  )
}

const entryOf = (
  { invoiceNumber, occurredAt, recordedAt, series, sourceId, ...row }: typeof Row.Type,
  timeZone: TimeZone
): JournalEntry => ({
  ...row,
  piece:
    series === null || invoiceNumber === null
      ? sourceId
      : numberText({ series, number: invoiceNumber }),
  occurredOn: localDate(occurredAt, timeZone),
  recordedOn: localDate(recordedAt, timeZone)
})
