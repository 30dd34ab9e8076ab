/** The present instant of a tenant as a part of statements: its test clock's, else the database's. */
import type { SqlClient } from "effect/sql"

export const tenantNow = (sql: SqlClient.SqlClient, tenantId: string) => sql`(
  SELECT coalesce(test_clock, clock_timestamp()) FROM tenant WHERE tenant_id = ${tenantId})`
