/** Work that one program at a time does for a tenant. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { TenantSql } from "./TenantSql.ts"

/**
 * Makes the transaction the tenant's only one for a purpose, until it ends; `false` where another one is.
 * It never waits. All releases have to use the same name for a purpose.
 */
export const tryTenantLock = Effect.fn("TenantLock.tryTenantLock")(function* (
  sql: SqlClient.SqlClient,
  tenantSql: TenantSql["Service"],
  purpose: string
) {
  const text = `quittance ${purpose} ${yield* CurrentTenant}`
  const [row] = yield* tenantSql.write(sql<{ readonly taken: boolean }>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${text}, 0)) AS taken
  `)
  return row!.taken
}, Effect.orDie)
