import type { Instant } from "@quittance/domain/values/Instant"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn, toDate } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const decode = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ now: InstantColumn, isTest: Schema.Boolean }))
)

/** A tenant's business time: its test clock, else the database's clock, so workers need not agree. */
export class TenantClockRepo extends Context.Service<
  TenantClockRepo,
  {
    /** The tenant's now, and whether a test clock tells it. */
    read: Effect.Effect<{ readonly now: Instant; readonly isTest: boolean }, never, CurrentTenant>
    /** The same, the clock locked until the transaction ends: moving it waits. */
    hold: Effect.Effect<{ readonly now: Instant; readonly isTest: boolean }, never, CurrentTenant>
    /** Sets the tenant's test clock. */
    set(now: Instant): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/TenantClockRepo") {
  static readonly layer = Layer.effect(
    TenantClockRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const read = Effect.gen(function* () {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT coalesce(test_clock, clock_timestamp()) AS now, test_clock IS NOT NULL AS is_test
          FROM tenant WHERE tenant_id = ${tenantId}
        `)
        return (yield* decode(rows))[0]!
      }).pipe(Effect.orDie, Effect.withSpan("TenantClockRepo.read"))

      const hold = Effect.gen(function* () {
        const tenantId = yield* CurrentTenant
        // No lock on the key: rows that refer to the tenant are written meanwhile.
        yield* tenantSql.write(sql`
          SELECT FROM tenant WHERE tenant_id = ${tenantId} FOR NO KEY UPDATE
        `)
        return yield* read
      }).pipe(Effect.orDie, Effect.withSpan("TenantClockRepo.hold"))

      const set = Effect.fn("TenantClockRepo.set")(function* (now: Instant) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE tenant SET test_clock = ${toDate(now)} WHERE tenant_id = ${tenantId}
        `)
      }, Effect.orDie)

      return TenantClockRepo.of({ read, hold, set })
    })
  )
}
