/**
 * How a table becomes a tenant's: the one place where row level security is switched on and where the
 * runtime role gets its rights. Every migration that creates a table calls `protect`.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { runtimeRole } from "./Roles.ts"

/** What the runtime role may do with a table; append-only tables get `SELECT` and `INSERT`. */
export type Right = "SELECT" | "INSERT" | "UPDATE" | "DELETE" | `UPDATE (${string})`

/** The tables whose rows belong to no tenant, or are read before one is known. */
export const unscopedTables = [
  "tenant",
  "migration",
  "due_tenant",
  "letter",
  "notice_letter",
  "audit_pending",
  "event_pending",
  "event_head",
  "event_consumer",
  "webhook_stream",
  "webhook_lane",
  "webhook_replay",
  "document_scan",
  "document_making",
  "content_removal",
  "content_collection",
  "bank_entry_match",
  "withdrawal_letter",
  "document_letter",
  "document_request_letter",
  "signature_sealing",
  "signer_letter",
  "debit_letter",
  "file_delivery",
  "signer_request_letter"
] as const
export type UnscopedTable = (typeof unscopedTables)[number]

/**
 * The tenant of the statement. The sub-select makes it an InitPlan, so the setting is read once per
 * table of a statement and not once per row, and an index that starts with `tenant_id` can be searched by it.
 * A setting that was set and then reset reads as the empty text, which is no tenant either.
 */
export const currentTenant = "(SELECT nullif(current_setting('app.tenant', true), ''))"

/**
 * Forces row level security on a table with a `tenant_id`, also for its owner, and grants the given
 * rights to the runtime role. Rows of another tenant can be neither seen nor written.
 *
 * Under row level security only operators that PostgreSQL calls leakproof can search an index:
 * comparisons of text, integers, dates and instants are, `LIKE`, `@>`, `@@` and `similarity` are not.
 */
export const protect = Effect.fn("TenantTable.protect")(function* (
  table: string,
  rights: ReadonlyArray<Right>
) {
  const sql = yield* SqlClient.SqlClient
  yield* force(table)
  yield* sql`
    CREATE POLICY tenant_isolation ON ${sql(table)}
    USING (tenant_id = ${sql.literal(currentTenant)})
    WITH CHECK (tenant_id = ${sql.literal(currentTenant)})
  `
  yield* grant(table, rights)
})

/**
 * Like `protect` for writing, but every row may be read, as a directory of tenants must be before
 * one of them is known. Reads go through `TenantSql.unscoped`.
 */
export const protectDirectory = Effect.fn("TenantTable.protectDirectory")(function* (
  table: UnscopedTable,
  rights: ReadonlyArray<Right>
) {
  const sql = yield* SqlClient.SqlClient
  yield* protect(table, rights)
  yield* sql`CREATE POLICY directory ON ${sql(table)} FOR SELECT USING (true)`
})

/** Grants further rights on a table that is a tenant's already. */
export const allow = (table: string, rights: ReadonlyArray<Right>) => grant(table, rights)

const force = Effect.fnUntraced(function* (table: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE ${sql(table)} ENABLE ROW LEVEL SECURITY`
  yield* sql`ALTER TABLE ${sql(table)} FORCE ROW LEVEL SECURITY`
})

const grant = Effect.fnUntraced(function* (table: string, rights: ReadonlyArray<Right>) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`GRANT ${sql.literal(rights.join(", "))} ON ${sql(table)} TO ${sql(runtimeRole)}`
})
