import type { SqlClient } from "effect/sql"

/**
 * Which rows of `branch` are offers that wait for a decision: parked, and not brought up to the base branch
 * and quoted since.
 */
export const waitsAside = (sql: SqlClient.SqlClient) =>
  sql`aside IS NOT NULL AND status = 'OPEN'
    AND (stage = 'DRAFT' OR forked_seq < (aside ->> 'seq')::integer)`
