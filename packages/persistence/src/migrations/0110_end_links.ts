import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { backfill } from "../Backfill.ts"
import { allow } from "../TenantTable.ts"

/**
 * Until when a customer is on a policy, beside the link, so that a list need not look for it in the
 * policy's versions: the end of time where nothing that is recorded takes it off. A sandbox's clock may
 * stand still: `ordinal` tells which of the links of one instant came first.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    ALTER TABLE customer_policy
      ADD left_at timestamptz NOT NULL DEFAULT '9999-12-31T23:59:59.999Z',
      ADD ordinal bigint GENERATED ALWAYS AS IDENTITY
  `
  yield* allow("customer_policy", ["UPDATE (left_at)"])
  yield* backfill(
    "policy",
    ({ after, tenantId, upTo }) => sql`
      UPDATE customer_policy l SET left_at = coalesce((
        SELECT max(v.valid_to) FROM validity v
        WHERE v.tenant_id = l.tenant_id AND v.policy_id = l.policy_id
          AND v.branch_id = p.default_branch_id AND v.entity_id = l.customer_id
      ), l.linked_at)
      FROM policy p
      WHERE p.tenant_id = ${tenantId} AND p.id > ${after} AND p.id <= ${upTo}
        AND l.tenant_id = p.tenant_id AND l.policy_id = p.id
        AND NOT EXISTS (
          SELECT FROM branch b
          JOIN policy_change c ON c.tenant_id = b.tenant_id AND c.policy_id = b.policy_id
            AND c.branch_id = b.id
          WHERE b.tenant_id = p.tenant_id AND b.policy_id = p.id AND b.status = 'OPEN'
            AND b.id <> p.default_branch_id
            AND jsonb_path_exists(c.patch, '$[*] ? (@.path == $path && exists(@.value))',
              jsonb_build_object('path', '/customers/' || l.customer_id))
        )
    `
  )
})
