import { PolicyHead } from "@quittance/domain/policies/PolicyHead"
import { Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { InstantColumn, IntColumn } from "../sql/Columns.ts"

/** A policy's head as its row reads. */
export const PolicyHeadRow = Schema.Struct({
  ...PolicyHead.fields,
  incrementalId: IntColumn,
  toldUntil: Schema.NullOr(InstantColumn),
  createdAt: InstantColumn,
  lastModifiedAt: InstantColumn
})

/** Its columns in the table `policy p`. */
export const headColumns = (sql: SqlClient.SqlClient) => sql`p.id, p.incremental_id, p.product_id,
  p.product_version, p.type, p.brokerage_firm_id, p.parent_id, p.author, p.default_branch_id,
  p.change_seq, p.event_seq, p.status, p.told_until, p.created_at, p.last_modified_at`
