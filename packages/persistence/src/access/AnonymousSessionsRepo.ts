import { AnonymousSession } from "@quittance/domain/access/AnonymousSession"
import type { AnonymousSessionId } from "@quittance/domain/requests/Caller"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn } from "../sql/Columns.ts"
import { withoutNulls } from "../sql/Rows.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import type { CustomerId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const Row = Schema.Struct({
  ...AnonymousSession.fields,
  createdAt: InstantColumn,
  expiresAt: InstantColumn,
  revokedAt: Schema.optionalKey(InstantColumn)
})
const decode = Schema.decodeUnknownEffect(Row)

export class AnonymousSessionsRepo extends Context.Service<
  AnonymousSessionsRepo,
  {
    /** Stores a session that ends so many seconds from now, in real time. */
    insert(session: {
      readonly id: AnonymousSessionId
      readonly productId: string | undefined
      readonly customerId?: CustomerId | undefined
      readonly lifetimeSeconds: number
    }): Effect.Effect<AnonymousSession, never, CurrentTenant>
    find(id: AnonymousSessionId): Effect.Effect<AnonymousSession | undefined, never, CurrentTenant>
    /** The same, locked until the transaction ends: ending a session and adding to it take turns. */
    hold(id: AnonymousSessionId): Effect.Effect<AnonymousSession | undefined, never, CurrentTenant>
    /** Ends a session: its token stops counting on every instance within a second. */
    revoke(id: AnonymousSessionId): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/AnonymousSessionsRepo") {
  static readonly layer = Layer.effect(
    AnonymousSessionsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const columns = sql`id, product_id, customer_id, created_at, expires_at, revoked_at`

      const insert = Effect.fn("AnonymousSessionsRepo.insert")(function* (session: {
        readonly id: AnonymousSessionId
        readonly productId: string | undefined
        readonly customerId?: CustomerId | undefined
        readonly lifetimeSeconds: number
      }) {
        const tenantId = yield* CurrentTenant
        // Whole seconds, as the token's claims can say no other instant.
        const [row] = yield* tenantSql.write(sql`
          INSERT INTO anonymous_session (tenant_id, id, product_id, customer_id, created_at, expires_at)
          SELECT ${tenantId}, ${session.id}, ${session.productId ?? null},
            ${session.customerId ?? null}, t,
            t + ${session.lifetimeSeconds}::int * interval '1 second'
          FROM date_trunc('second', clock_timestamp()) t
          RETURNING ${columns}
        `)
        return yield* decode(withoutNulls(row!))
      }, Effect.orDie)

      const find = Effect.fn("AnonymousSessionsRepo.find")(function* (id: AnonymousSessionId) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.read(sql`
          SELECT ${columns} FROM anonymous_session WHERE tenant_id = ${tenantId} AND id = ${id}
        `)
        return row === undefined ? undefined : yield* decode(withoutNulls(row))
      }, Effect.orDie)

      const hold = Effect.fn("AnonymousSessionsRepo.hold")(function* (id: AnonymousSessionId) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.write(sql`
          SELECT ${columns} FROM anonymous_session
          WHERE tenant_id = ${tenantId} AND id = ${id} FOR UPDATE
        `)
        return row === undefined ? undefined : yield* decode(withoutNulls(row))
      }, Effect.orDie)

      const revoke = Effect.fn("AnonymousSessionsRepo.revoke")(function* (id: AnonymousSessionId) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE anonymous_session SET revoked_at = clock_timestamp()
          WHERE tenant_id = ${tenantId} AND id = ${id} AND revoked_at IS NULL
        `)
      }, Effect.orDie)

      return AnonymousSessionsRepo.of({ insert, find, hold, revoke })
    })
  )
}
