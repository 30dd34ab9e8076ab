/** Which letters are due, and when those that did not leave are tried again: of all kinds of letters alike. */
import type { SqlClient, Statement } from "effect/sql"

/** How often a letter is tried. */
export const maximumAttempts = 10

/** Seconds until a letter that was not sent is tried again; doubled each time. */
const firstPause = 30

/** Seconds that a letter belongs to the sender that claimed it, at least: longer than any transport takes. */
const shortestClaim = 120

/** For how long a letter belongs to its sender, by the attempts before. */
export const pauseAfterClaim = (sql: SqlClient.SqlClient, attempts: Statement.Fragment) =>
  sql`interval '1 second' * greatest(${shortestClaim}::int, ${firstPause}::int * power(2, ${attempts}))`

/** The pause of a letter that was not sent, by the attempts so far. */
export const pauseAfterFailure = (sql: SqlClient.SqlClient, attempts: Statement.Fragment) =>
  sql`interval '1 second' * (${firstPause}::int * power(2, ${attempts} - 1))`

/**
 * The letters of a table that are due, by tenant and key: each tenant's oldest before any tenant's next. Those of
 * a tenant that is disabled wait until it no longer is.
 */
export const dueLetters = (sql: SqlClient.SqlClient, table: string, key: string, limit: number) => {
  const id = sql(key)
  // The clock of the wall is volatile to the planner and can search no index; `now()` can.
  return sql`
    SELECT tenant_id, ${id} FROM (
      SELECT tenant_id, ${id}, due_at,
        row_number() OVER (PARTITION BY tenant_id ORDER BY due_at, ${id}) AS turn
      FROM ${sql(table)} l WHERE due_at <= now() AND NOT EXISTS (
        SELECT FROM tenant t WHERE t.tenant_id = l.tenant_id AND t.disabled_at IS NOT NULL
      )
    ) waiting
    ORDER BY turn, due_at, tenant_id LIMIT ${limit}
  `
}
