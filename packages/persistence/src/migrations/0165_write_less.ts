import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { backfill } from "../sql/Backfill.ts"

/**
 * What each invoice of each policy made the database do again and again:
 *
 * - fold texts that are plain ASCII by the rules of all scripts;
 * - make a policy's search text anew with every update. A generated column is, once the table has a
 *   trigger before its updates; a trigger that names its columns is not;
 * - make the search text of a receivable from texts of which policy and customer keep theirs;
 * - index the worker's rows of the audit trail by its name and by its one action, which are all of them.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE OR REPLACE FUNCTION search_fold(value text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
      CASE WHEN octet_length(value) = length(value) THEN lower(value COLLATE "C") COLLATE "und-x-icu"
      ELSE replace(replace(replace(translate(
        lower(regexp_replace(normalize(value, NFKD), '[\\u0300-\\u036f]', '', 'g') COLLATE "und-x-icu"),
        'øłđı', 'oldi'), 'œ', 'oe'), 'æ', 'ae'), 'ß', 'ss')
      END
  `
  yield* sql`ALTER TABLE policy ALTER search DROP EXPRESSION`
  yield* sql`
    CREATE FUNCTION search_policy() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.search := search_text(NEW.id, coalesce(NEW.external_id, ''), NEW.incremental_id::text,
        coalesce(NEW.name, ''));
      RETURN NEW;
    END $$
  `
  yield* sql`
    CREATE TRIGGER search_policy
    BEFORE INSERT OR UPDATE OF id, external_id, incremental_id, name, search ON policy
    FOR EACH ROW EXECUTE FUNCTION search_policy()
  `
  yield* sql`ALTER TABLE policy ENABLE ALWAYS TRIGGER search_policy`
  yield* backfill(
    "policy",
    ({ after, tenantId, upTo }) => sql`
      UPDATE receivable r SET search = p.search || c.search FROM policy p, customer c
      WHERE p.tenant_id = ${tenantId} AND p.id > ${after} AND p.id <= ${upTo}
        AND r.tenant_id = p.tenant_id AND r.policy_id = p.id
        AND c.tenant_id = r.tenant_id AND c.id = r.customer_id
    `
  )
  yield* sql`DROP INDEX audit_actor, audit_action`
  yield* sql`
    CREATE INDEX audit_actor ON audit (tenant_id, actor_id, recorded_at, id)
    WHERE action <> 'policy.advance'
  `
  yield* sql`
    CREATE INDEX audit_action ON audit (tenant_id, action, recorded_at, id)
    WHERE action <> 'policy.advance'
  `
})
