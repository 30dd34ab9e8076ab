import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What lists of policies and customers are filtered, searched and ordered by. `search` is what
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
  // One tenant after the other: row level security holds for the owner, too.
  yield* sql`
    DO $$
    DECLARE one text;
    BEGIN
      FOR one IN SELECT tenant_id FROM tenant ORDER BY tenant_id LOOP
        PERFORM set_config('app.tenant', one, true);
        UPDATE policy p SET started_at = (v.state ->> 'startedAt')::timestamptz FROM validity v
        WHERE p.tenant_id = one AND v.tenant_id = one AND v.policy_id = p.id
          AND v.branch_id = p.default_branch_id AND v.entity_id = p.id
          AND v.valid_to = (SELECT max(w.valid_to) FROM validity w
            WHERE w.tenant_id = one AND w.policy_id = p.id AND w.branch_id = p.default_branch_id
              AND w.entity_id = p.id);
      END LOOP;
      PERFORM set_config('app.tenant', '', true);
    END $$
  `
  yield* sql`CREATE INDEX policy_created ON policy (tenant_id, created_at, id)`
  yield* sql`CREATE INDEX policy_started ON policy (tenant_id, started_at, id)`
  yield* sql`CREATE INDEX policy_modified ON policy (tenant_id, last_modified_at, id)`
  yield* sql`CREATE INDEX customer_created ON customer (tenant_id, created_at, id)`
})
