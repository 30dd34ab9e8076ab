import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { backfill } from "../sql/Backfill.ts"

/**
 * Lines and amounts of documents, and the leaves of quotes, as they are kept from now on (`KeptLines`,
 * `KeptAmount`, `KeptLeaves`): as `json` of few characters, which the database need not take apart.
 * Leaves leave the quote's document, so that whoever bills need not unpack all of it.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const create of functions) yield* sql.unsafe(create)
  yield* sql`ALTER TABLE document ADD kept_amount json, ADD kept_lines json`
  yield* backfill(
    "document",
    ({ after, tenantId, upTo }) => sql`
      UPDATE document SET kept_amount = keep_amount(amount)::json, kept_lines = keep_lines(lines)
      WHERE tenant_id = ${tenantId} AND id > ${after} AND id <= ${upTo}
    `
  )
  yield* sql`
    ALTER TABLE document DROP COLUMN amount, DROP COLUMN lines,
      ALTER kept_amount SET NOT NULL, ALTER kept_lines SET NOT NULL
  `
  yield* sql`ALTER TABLE document RENAME kept_amount TO amount`
  yield* sql`ALTER TABLE document RENAME kept_lines TO lines`
  yield* sql`ALTER TABLE quote ADD leaves json`
  yield* backfill(
    "quote",
    ({ after, tenantId, upTo }) => sql`
      UPDATE quote SET document = document - 'leaves', leaves = keep_leaves(document -> 'leaves')
      WHERE tenant_id = ${tenantId} AND id > ${after} AND id <= ${upTo}
    `
  )
  yield* sql`ALTER TABLE quote ALTER leaves SET NOT NULL`
  yield* sql`DROP FUNCTION keep_leaves, keep_lines, keep_amount, keep_charges, keep_place`
})

const functions = [
  `CREATE FUNCTION keep_place(charge_type text) RETURNS integer LANGUAGE sql IMMUTABLE RETURN
     CASE charge_type WHEN 'RECURRING' THEN 0 WHEN 'ONE_TIME' THEN 1 WHEN 'SPOT' THEN 2 END`,
  `CREATE FUNCTION keep_charges(charges jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE RETURN (
     SELECT coalesce(jsonb_agg(
       jsonb_build_array(c -> 'id', keep_place(c ->> 'chargeType'), c -> 'amount')
         || CASE WHEN c ? 'brokerageFirmId' THEN jsonb_build_array(c -> 'brokerageFirmId')
              ELSE '[]' END ORDER BY n), '[]')
     FROM jsonb_array_elements(charges) WITH ORDINALITY AS t(c, n))`,
  `CREATE FUNCTION keep_amount(amount jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE RETURN
     jsonb_build_array(amount -> 'amountPreFeesAndTaxes', keep_charges(amount -> 'fees'),
       keep_charges(amount -> 'taxes'))`,
  // Three places of days for each line: its slice, its term, its period.
  `CREATE FUNCTION keep_lines(lines jsonb) RETURNS json LANGUAGE sql IMMUTABLE RETURN (
     SELECT json_build_object(
       'quotes', coalesce(jsonb_agg(l -> 'quoteId' ORDER BY n), '[]'),
       'days', coalesce((
         SELECT jsonb_agg(jsonb_build_array(d -> 'start', d -> 'end') ORDER BY m, place)
         FROM jsonb_array_elements(lines) WITH ORDINALITY AS i(line, m), LATERAL (VALUES
           (1, line -> 'slice'),
           (2, coalesce(line #> '{basis,term}', line -> 'slice')),
           (3, coalesce(line #> '{basis,period}', line -> 'slice'))) AS days(place, d)), '[]'),
       'lines', coalesce(jsonb_agg(jsonb_build_array(
         l -> 'componentId', l -> 'label', keep_place(l ->> 'chargeType'), 3 * (n - 1), n - 1,
         keep_amount(l -> 'amount'), keep_amount(l -> 'price'),
         CASE WHEN l ? 'basis' THEN jsonb_build_array(3 * (n - 1) + 1, 3 * (n - 1) + 2)
           || CASE WHEN l -> 'basis' ? 'amount'
                THEN jsonb_build_array(keep_amount(l #> '{basis,amount}')) ELSE '[]' END END,
         nullif(l - '{componentId,label,chargeType,slice,quoteId,amount,price,basis}'::text[], '{}')
       ) ORDER BY n), '[]'))
     FROM jsonb_array_elements(lines) WITH ORDINALITY AS t(l, n))`,
  `CREATE FUNCTION keep_leaves(leaves jsonb) RETURNS json LANGUAGE sql IMMUTABLE RETURN (
     SELECT coalesce(json_agg(json_build_array(
       l -> 'id', l -> 'componentId',
       CASE l ->> 'kind' WHEN 'NET' THEN 0 WHEN 'FEE' THEN 1 WHEN 'TAX' THEN 2 END,
       keep_place(l ->> 'chargeType'), l -> 'amount', l -> 'refId',
       nullif(jsonb_strip_nulls(jsonb_build_object(
         'brokerageFirmId', l -> 'brokerageFirmId',
         'everyTerm', nullif((l ->> 'everyTerm')::boolean, false),
         'nonRefundable', nullif(NOT (l ->> 'refundable')::boolean, false))), '{}')
     ) ORDER BY n), '[]')
     FROM jsonb_array_elements(leaves) WITH ORDINALITY AS t(l, n))`
]
