import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { backfill } from "../sql/Backfill.ts"
import { protect } from "../sql/TenantTable.ts"

/**
 * Whose an external id is: of the policy that shows it now, has shown it or will. What the policy shows
 * now is in its column, which alone could not keep two policies from one id at another time.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE external_id (
      tenant_id   text COLLATE "C" NOT NULL,
      external_id text COLLATE "C" NOT NULL,
      policy_id   text COLLATE "C" NOT NULL,
      PRIMARY KEY (tenant_id, external_id),
      FOREIGN KEY (tenant_id, policy_id) REFERENCES policy
    )
  `
  yield* sql`CREATE INDEX external_id_policy ON external_id (tenant_id, policy_id)`
  yield* protect("external_id", ["SELECT", "INSERT", "DELETE"])
  // Of two policies that have come to one id it stays with the one that was given it last.
  yield* backfill(
    "policy",
    ({ after, tenantId, upTo }) => sql`
      INSERT INTO external_id (tenant_id, external_id, policy_id)
      SELECT tenant_id, external_id, id FROM policy
      WHERE tenant_id = ${tenantId} AND id > ${after} AND id <= ${upTo}
        AND external_id IS NOT NULL
    `
  )
  yield* backfill(
    "policy",
    ({ after, tenantId, upTo }) => sql`
      INSERT INTO external_id (tenant_id, external_id, policy_id)
      SELECT DISTINCT p.tenant_id, v.state ->> 'externalId', p.id
      FROM policy p JOIN validity v ON v.tenant_id = p.tenant_id AND v.policy_id = p.id
        AND v.branch_id = p.default_branch_id AND v.entity_id = p.id
      WHERE p.tenant_id = ${tenantId} AND p.id > ${after} AND p.id <= ${upTo}
        AND v.state ->> 'externalId' IS NOT NULL
      ON CONFLICT DO NOTHING
    `
  )
  yield* sql`ALTER TABLE policy DROP CONSTRAINT policy_tenant_id_external_id_key`
  yield* sql`CREATE INDEX policy_external_id ON policy (tenant_id, external_id)`
})
