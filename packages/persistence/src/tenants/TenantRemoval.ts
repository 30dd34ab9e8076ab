/** Takes a tenant out of the database with everything that is its own. Needs the owner's connection. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { TenantId } from "@quittance/domain/requests/Tenancy"

interface Table {
  readonly name: string
}

/** The tables with rows of tenants, whatever this release knows of them; the directory is the last. */
const tables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Table>`
    SELECT c.relname AS name
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    ORDER BY c.relname = 'tenant', c.relname = 'audit', c.relname
  `
})

/**
 * Removes all rows of the tenant in one transaction; answers how many. Row level security holds for the
 * owner, too, so rows of another tenant can't be among them. What one table refers to in another is
 * removed after it: the order is found by trying.
 */
export const remove = Effect.fn("TenantRemoval.remove")(function* (id: TenantId) {
  const sql = yield* SqlClient.SqlClient
  const removal = Effect.gen(function* () {
    yield* sql`SELECT set_config('app.tenant', ${id}, true)`
    let removed = 0
    let waiting = yield* tables
    while (waiting.length > 0) {
      const left: Array<Table> = []
      for (const table of waiting) {
        // What fails is undone to its savepoint, and tried again once others are gone.
        const rows = yield* Effect.result(sql.withTransaction(removeFrom(table, id)))
        if (rows._tag === "Success") removed += rows.success
        else left.push(table)
      }
      // Of tables that refer to each other none can be the first.
      if (left.length === waiting.length) yield* removeFrom(left[0]!, id)
      waiting = left
    }
    return removed
  })
  return yield* sql.withTransaction(removal)
})

const removeFrom = Effect.fnUntraced(function* ({ name }: Table, id: TenantId) {
  const sql = yield* SqlClient.SqlClient
  // Its rows are kept by a trigger. Who else writes there waits until this transaction has ended.
  const isAudit = name === "audit"
  if (isAudit) yield* sql`ALTER TABLE audit DISABLE TRIGGER keep_audit`
  const [row] = yield* sql<{ readonly count: number }>`
    WITH removed AS (DELETE FROM ${sql(name)} WHERE tenant_id = ${id} RETURNING 1)
    SELECT count(*)::float8 AS count FROM removed
  `
  if (isAudit) yield* sql`ALTER TABLE audit ENABLE TRIGGER keep_audit`
  return row!.count
})
