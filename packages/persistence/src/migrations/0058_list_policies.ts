import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { backfill } from "../sql/Backfill.ts"

/**
 * What lists of policies and customers are filtered, searched and ordered by. `started_at` is the
 * planned start with all changes in effect, `search` what
 * `search_text` would write; that function is not immutable, so it is spelt out here.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const searchOf = (text: string) =>
    sql.literal(`regexp_replace(' ' || search_fold(${text}) || ' ' || regexp_replace(
      search_fold(${text}) COLLATE "und-x-icu", '[^[:alnum:]]+', ' ', 'g'), '\\s+', ' ', 'g')`)
  const policyText = `id || ' ' || coalesce(external_id, '') || ' ' || incremental_id::text || ' ' ||
    coalesce(name, '')`
  const customerText = `id || ' ' || coalesce(name, '') || ' ' || coalesce(email, '')`
  yield* sql`
    ALTER TABLE policy ADD started_at timestamptz,
      ADD search text COLLATE "C" NOT NULL GENERATED ALWAYS AS (${searchOf(policyText)}) STORED
  `
  yield* sql`
    ALTER TABLE customer
      ADD search text COLLATE "C" NOT NULL GENERATED ALWAYS AS (${searchOf(customerText)}) STORED
  `
  yield* backfill(
    "policy",
    ({ after, tenantId, upTo }) => sql`
      UPDATE policy p SET started_at = (v.state ->> 'startedAt')::timestamptz
      FROM validity v
      WHERE p.tenant_id = ${tenantId} AND p.id > ${after} AND p.id <= ${upTo}
        AND v.tenant_id = p.tenant_id AND v.policy_id = p.id AND v.entity_id = p.id
        AND v.branch_id = p.default_branch_id AND v.valid_to = '9999-12-31T23:59:59.999Z'
    `
  )
  // Whoever opens a policy gives it its first state, so none has been left out.
  yield* sql`ALTER TABLE policy ALTER started_at SET NOT NULL`
  yield* sql`CREATE INDEX policy_created ON policy (tenant_id, created_at, id)`
  yield* sql`CREATE INDEX policy_started ON policy (tenant_id, started_at, id)`
  yield* sql`CREATE INDEX policy_modified ON policy (tenant_id, last_modified_at, id)`
  yield* sql`CREATE INDEX customer_created ON customer (tenant_id, created_at, id)`
})
