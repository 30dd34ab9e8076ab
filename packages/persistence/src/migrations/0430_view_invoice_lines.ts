import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { allow } from "../sql/TenantTable.ts"

/**
 * Invoice lines as SQL can group them: one row for each premium item of each line, read out of what
 * `InvoiceLinesCodec` keeps. It shows what its reader may see of `invoice`, and keeps nothing itself. A change of
 * the codec brings this view along: `InvoiceLineView.test.ts` holds the two together.
 *
 * `OFFSET 0` has the lines of an invoice unpacked once, and not for each value that is taken from them.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE VIEW invoice_line WITH (security_invoker = true) AS
    SELECT
      i.tenant_id,
      i.policy_id,
      i.id                                                             AS invoice_id,
      i.type,
      i.customer_id,
      i.currency,
      i.issued_at,
      i.term,
      i.period_start,
      i.period_end,
      l.line::int                                                      AS line,
      (l.kept ->> 0) COLLATE "C"                                       AS component_id,
      (k.kept -> 'days' -> l.kept[3]::int ->> 0)::date                 AS slice_start,
      (k.kept -> 'days' -> l.kept[3]::int ->> 1)::date                 AS slice_end,
      (k.kept -> 'quotes' ->> l.kept[4]::int) COLLATE "C"              AS quote_id,
      (l.kept -> 8 ->> 'corrects') COLLATE "C"                         AS corrected_invoice_id,
      a.kind,
      a.ref_id COLLATE "C"                                             AS ref_id,
      (ARRAY['RECURRING', 'ONE_TIME', 'SPOT'])[a.charge_type::int + 1] AS charge_type,
      a.brokerage_firm_id COLLATE "C"                                  AS brokerage_firm_id,
      a.amount::bigint                                                 AS amount
    FROM invoice i
    CROSS JOIN LATERAL (SELECT i.lines::jsonb AS kept OFFSET 0) AS k
    CROSS JOIN LATERAL jsonb_array_elements(k.kept -> 'lines') WITH ORDINALITY AS l (kept, line)
    CROSS JOIN LATERAL (
      SELECT 'NET' AS kind, NULL AS ref_id, l.kept[2] AS charge_type, l.kept[5][0] AS amount,
        NULL AS brokerage_firm_id
      UNION ALL
      SELECT 'FEE', fee ->> 0, fee[1], fee[2], fee ->> 3 FROM jsonb_array_elements(l.kept[5][1]) AS fee
      UNION ALL
      SELECT 'TAX', tax ->> 0, tax[1], tax[2], NULL FROM jsonb_array_elements(l.kept[5][2]) AS tax
    ) AS a
  `
  yield* allow("invoice_line", ["SELECT"])
})
