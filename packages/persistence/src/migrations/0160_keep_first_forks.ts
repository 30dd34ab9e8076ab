import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { backfill } from "../sql/Backfill.ts"

/**
 * Where a branch has forked first: a rebase moves `forked_seq`, and what a branch showed before it would be
 * forgotten. Of one that has been moved already it is where its own changes begin.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    ALTER TABLE branch ADD first_forked_at timestamptz, ADD first_forked_seq integer
  `
  yield* backfill(
    "branch",
    ({ after, tenantId, upTo }) => sql`
      UPDATE branch b SET
        first_forked_at = CASE WHEN c.is_moved THEN b.created_at ELSE b.forked_at END,
        first_forked_seq = CASE WHEN c.is_moved THEN c.first_seq - 1 ELSE b.forked_seq END
      FROM branch o CROSS JOIN LATERAL (
        SELECT coalesce(bool_or(kind = 'REBASE'), false) AS is_moved, min(seq) AS first_seq
        FROM policy_change
        WHERE tenant_id = o.tenant_id AND policy_id = o.policy_id AND branch_id = o.id
      ) c
      WHERE o.tenant_id = ${tenantId} AND o.id > ${after} AND o.id <= ${upTo}
        AND b.tenant_id = o.tenant_id AND b.policy_id = o.policy_id AND b.id = o.id
    `
  )
  yield* sql`
    ALTER TABLE branch
      ALTER first_forked_at SET NOT NULL,
      ALTER first_forked_seq SET NOT NULL
  `
})
