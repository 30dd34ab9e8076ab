/** Where consumers leave what they were told, as many times as they were told it. */
import type { EventConsumer } from "@quittance/operations/events/EventConsumers"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** Whose effects are compared. */
export const names = ["first", "second", "third"] as const

/** The table of their effects; no key keeps one from being there twice. */
export const createTable = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE told (tenant_id text, consumer text, nth bigint GENERATED ALWAYS AS IDENTITY,
      position bigint, subject text, sequence integer, event_id text)
  `
  yield* sql`CREATE INDEX told_order ON told (tenant_id, consumer, nth)`
  yield* sql`GRANT SELECT, INSERT ON told TO PUBLIC`
})

/** How many batches in a hundred a consumer dies of, once it has written what it was told. */
const illness = 5

export const consumer = Effect.fnUntraced(function* (name: string) {
  const sql = yield* SqlClient.SqlClient
  const tenantSql = yield* TenantSql
  const result: EventConsumer = {
    name,
    handle: Effect.fnUntraced(function* (events) {
      const tenant = yield* CurrentTenant
      const rows = events.map(({ id, position, sequence, subject }) => ({
        id,
        position,
        sequence,
        subject
      }))
      yield* tenantSql.write(sql`
        INSERT INTO told (tenant_id, consumer, position, subject, sequence, event_id)
        SELECT ${tenant}, ${name}, position, subject, sequence, id
        FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
          AS t(position bigint, subject text, sequence integer, id text)
        ORDER BY position
      `)
      if (Math.random() * 100 < illness) return yield* Effect.die(new Error("The consumer is ill"))
      // Long enough to be killed in.
      yield* tenantSql.write(sql`SELECT pg_sleep(${Math.random() * 0.02}::float8)`)
    }, Effect.orDie)
  }
  return result
})
