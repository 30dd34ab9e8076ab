/**
 * The one function that runs with the owner's rights: it erases what the data map says of a customer, in
 * append-only tables too. Each migration run writes it again from the map of its release.
 */
import { dataTables as tables } from "@quittance/domain/privacy/DataSubjects"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { runtimeRole } from "../sql/Roles.ts"
import { createJsonFunctions } from "./EraseJson.ts"
import { type Column, counted, emptyTables } from "./EraseTables.ts"

/** Finds the accounts that are the customer's alone, and ends what the customer may do. */
const endRights = `IF of_class = 'ACCOUNT' AND of_policy IS NULL THEN
    users := ARRAY(
      SELECT g.subject_id FROM permission_grant g
      WHERE g.tenant_id = of_tenant AND g.target = of_customer AND NOT EXISTS (
        SELECT FROM permission_grant o
        WHERE o.tenant_id = of_tenant AND o.subject_id = g.subject_id AND o.target <> of_customer
          AND NOT EXISTS (
            SELECT FROM customer_policy p WHERE p.tenant_id = of_tenant
              AND p.customer_id = of_customer AND p.policy_id = o.target
          )
      )
    );
    ${counted(
      "permission_grant",
      `DELETE FROM permission_grant t WHERE t.tenant_id = of_tenant AND (t.target = of_customer
      OR t.subject_id = ANY (users) OR t.subject_id IN (
        SELECT s.id FROM anonymous_session s
        WHERE s.tenant_id = of_tenant AND s.customer_id = of_customer))`
    )}
  END IF;`

/** Columns with the address of a content. One that some row still has is not destroyed. */
const addressColumns = (known: ReadonlyArray<Column>) =>
  known.filter(
    ({ column, table }) =>
      column === "content_address" || tables.get(table)?.personal?.[column]?.erase === "DESTROY"
  )

/** The text of the function. */
export const eraseFunction = (known: ReadonlyArray<Column>): string => {
  const unused = addressColumns(known).map(
    ({ column, table }) => `AND NOT EXISTS (
      SELECT FROM ${table} r WHERE r.tenant_id = of_tenant AND r.${column} = c.address)`
  )
  return `
CREATE OR REPLACE FUNCTION erase(
  of_tenant text, of_customer text, of_class text, of_policy text, erasure_id text, of_request text,
  because text, moment timestamptz
) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $erase$
#variable_conflict use_column
DECLARE
  counts jsonb := '{}';
  touched bigint;
  alone boolean;
  addresses text[] := '{}';
  users text[] := '{}';
BEGIN
  IF of_tenant IS DISTINCT FROM current_setting('app.tenant', true) THEN
    RAISE EXCEPTION 'erase: the tenant is not the one of this transaction';
  END IF;
  PERFORM FROM customer k WHERE k.tenant_id = of_tenant AND k.id = of_customer FOR UPDATE;
  IF NOT FOUND THEN RAISE EXCEPTION 'erase: there is no such customer'; END IF;
  PERFORM FROM policy k WHERE k.tenant_id = of_tenant AND k.id = of_policy FOR UPDATE;
  IF EXISTS (
    SELECT FROM retention_hold h WHERE h.tenant_id = of_tenant AND h.lifted_at IS NULL
      AND (h.until IS NULL OR h.until > moment)
      AND (h.customer_id = of_customer OR h.policy_id = of_policy)
  ) THEN
    RAISE EXCEPTION 'erase: a hold keeps these data';
  END IF;
  alone := NOT EXISTS (
    SELECT FROM customer_policy o WHERE o.tenant_id = of_tenant AND o.policy_id = of_policy
      AND o.customer_id <> of_customer AND NOT EXISTS (
        SELECT FROM erasure e WHERE e.tenant_id = of_tenant AND e.customer_id = o.customer_id
          AND e.policy_id = of_policy AND e.class = of_class
      )
  );
  ${endRights}
  ${emptyTables(known)}
  IF cardinality(addresses) > 0 THEN
    ${counted(
      "content",
      `WITH gone AS (
      DELETE FROM content c WHERE c.tenant_id = of_tenant AND c.address = ANY (addresses)
      ${unused.join(" ")}
      RETURNING c.tenant_id, c.name, c.store
    ) INSERT INTO content_removal (tenant_id, name, store) SELECT * FROM gone`
    )}
  END IF;
  -- The version of the policy counts on, so that no answer of before is given again.
  UPDATE policy k SET revision = k.revision WHERE k.tenant_id = of_tenant AND k.id = of_policy;
  DELETE FROM policy_answer k WHERE k.tenant_id = of_tenant AND k.policy_id = of_policy;
  INSERT INTO erasure (tenant_id, id, customer_id, policy_id, class, counts, ground,
    privacy_request_id, erased_at)
  VALUES (of_tenant, erasure_id, of_customer, of_policy, of_class, counts, because, of_request, moment);
  RETURN counts;
END $erase$`
}

const catalogue = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Column>`
    SELECT c.relname AS "table", a.attname AS "column", a.attnotnull AS required,
      a.attgenerated <> '' AS generated,
      CASE WHEN t.typname IN ('bytea', 'jsonb', 'json', 'text') THEN t.typname ELSE 'other' END AS type
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    JOIN pg_type t ON t.oid = a.atttypid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
    ORDER BY c.relname, a.attnum
  `
})

const signature = "erase(text, text, text, text, text, text, text, timestamptz)"

/** Writes the function for the schema as it is, where it differs; runs as the owner. */
export const createErase = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const text = eraseFunction(yield* catalogue)
  const [present] = yield* sql`
    SELECT FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND proname = 'erase'
      AND prosrc = ${text.split("$erase$")[1]!}
  `
  if (present !== undefined) return
  yield* createJsonFunctions
  yield* sql.unsafe(text)
  yield* sql.unsafe(`REVOKE ALL ON FUNCTION ${signature} FROM PUBLIC`)
  yield* sql.unsafe(`GRANT EXECUTE ON FUNCTION ${signature} TO ${runtimeRole}`)
}).pipe(Effect.withSpan("EraseFunction.createErase"))
