import { mayShareDatabase } from "@quittance/domain/tenants/RunningEnvironment"
import { Tenant } from "@quittance/domain/tenants/Tenant"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { CurrentTenant, Environment, TenantId } from "@quittance/domain/requests/Tenancy"

const ListedRow = Schema.Struct({ ...Tenant.fields, disabledAt: Schema.NullOr(InstantColumn) })
/** A tenant, and since when it is disabled. */
export type ListedTenant = typeof ListedRow.Type

const decode = Schema.decodeUnknownEffect(Schema.Array(Tenant))
const decodeListed = Schema.decodeUnknownEffect(Schema.Array(ListedRow))
const decodeDisabled = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ disabledAt: Schema.NullOr(InstantColumn) }))
)
const decodePlaces = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ id: TenantId, environment: Environment }))
)

/** The directory of tenants: the one table that is read before a tenant is known. */
export class TenantsRepo extends Context.Service<
  TenantsRepo,
  {
    /** A tenant, disabled or not: for those who look after it. */
    find(id: TenantId): Effect.Effect<Tenant | undefined>
    /** A tenant in whose name requests may be served: none that is disabled. */
    enabled(id: TenantId): Effect.Effect<Tenant | undefined>
    /** All of them, by identifier. */
    readonly list: Effect.Effect<ReadonlyArray<ListedTenant>>
    /**
     * The tenants that programs of this environment must not serve, by identifier; the first hundred.
     * None of a database that has not been migrated yet.
     */
    strangersTo(environment: Environment): Effect.Effect<ReadonlyArray<TenantId>>
    /** Stores the current tenant; `false` when it is there already. */
    insert(tenant: Tenant): Effect.Effect<boolean, never, CurrentTenant>
    /**
     * Has the current tenant disabled from now on, or no longer; whether that changes anything, and
     * `undefined` for a tenant that isn't there.
     */
    setDisabled(disabled: boolean): Effect.Effect<boolean | undefined, never, CurrentTenant>
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

      const enabled = Effect.fn("TenantsRepo.enabled")(function* (id: TenantId) {
        const rows = yield* tenantSql.unscoped(
          "tenant",
          sql`SELECT ${columns} FROM tenant WHERE tenant_id = ${id} AND disabled_at IS NULL`
        )
        return (yield* decode(rows))[0]
      }, Effect.orDie)

      const list = Effect.gen(function* () {
        return yield* decodeListed(
          yield* tenantSql.unscoped(
            "tenant",
            sql`SELECT ${columns}, disabled_at FROM tenant ORDER BY tenant_id`
          )
        )
      }).pipe(Effect.orDie, Effect.withSpan("TenantsRepo.list"))

      const strangersTo = Effect.fn("TenantsRepo.strangersTo")(function* (
        environment: Environment
      ) {
        const [migrated] = yield* tenantSql.unscoped(
          "tenant",
          sql`SELECT 1 AS one FROM pg_tables WHERE schemaname = 'public' AND tablename = 'tenant'`
        )
        if (migrated === undefined) return []
        const rows = yield* tenantSql.unscoped(
          "tenant",
          sql`SELECT tenant_id AS id, environment FROM tenant ORDER BY tenant_id`
        )
        const strangers = (yield* decodePlaces(rows)).filter(
          (tenant) => !mayShareDatabase(tenant.environment, environment)
        )
        return strangers.slice(0, 100).map(({ id }) => id)
      }, Effect.orDie)

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

      const setDisabled = Effect.fn("TenantsRepo.setDisabled")(function* (disabled: boolean) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.write(sql`
          SELECT disabled_at FROM tenant WHERE tenant_id = ${tenantId} FOR NO KEY UPDATE
        `)
        const [before] = yield* decodeDisabled(rows)
        if (before === undefined) return undefined
        if ((before.disabledAt !== null) === disabled) return false
        const disabledAt = disabled ? sql`clock_timestamp()` : sql`NULL`
        yield* tenantSql.write(sql`
          UPDATE tenant SET disabled_at = ${disabledAt} WHERE tenant_id = ${tenantId}
        `)
        return true
      }, Effect.orDie)

      return TenantsRepo.of({ find, enabled, list, strangersTo, insert, setDisabled })
    })
  )
}
