import { type CurrentTenant, Tenant, type TenantId } from "@quittance/domain/tenants/Tenant"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TenantSql } from "../sql/TenantSql.ts"

const decode = Schema.decodeUnknownEffect(Schema.Array(Tenant))

/** The directory of tenants: the one table that is read before a tenant is known. */
export class TenantsRepo extends Context.Service<
  TenantsRepo,
  {
    find(id: TenantId): Effect.Effect<Tenant | undefined>
    /** All of them, by identifier. */
    readonly list: Effect.Effect<ReadonlyArray<Tenant>>
    /** Stores the current tenant; `false` when it is there already. */
    insert(tenant: Tenant): Effect.Effect<boolean, never, CurrentTenant>
  }
>()("@quittance/persistence/TenantsRepo") {
  static readonly layer = Layer.effect(
    TenantsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const columns = sql`tenant_id AS id, name, environment, locale, currency, time_zone`

      const find = Effect.fn("TenantsRepo.find")(function* (id: TenantId) {
        const rows = yield* tenantSql.unscoped(
          "tenant",
          sql`SELECT ${columns} FROM tenant WHERE tenant_id = ${id}`
        )
        return (yield* decode(rows))[0]
      }, Effect.orDie)

      const list = Effect.gen(function* () {
        return yield* decode(
          yield* tenantSql.unscoped("tenant", sql`SELECT ${columns} FROM tenant ORDER BY tenant_id`)
        )
      }).pipe(Effect.orDie, Effect.withSpan("TenantsRepo.list"))

      const insert = Effect.fn("TenantsRepo.insert")(function* (tenant: Tenant) {
        const rows = yield* tenantSql.write(sql`
          INSERT INTO tenant (tenant_id, name, environment, locale, currency, time_zone)
          VALUES (${tenant.id}, ${tenant.name}, ${tenant.environment}, ${tenant.locale},
            ${tenant.currency}, ${tenant.timeZone})
          ON CONFLICT (tenant_id) DO NOTHING
          RETURNING tenant_id
        `)
        return rows.length === 1
      }, Effect.orDie)

      return TenantsRepo.of({ find, list, insert })
    })
  )
}
