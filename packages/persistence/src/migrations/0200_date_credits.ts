import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { backfill } from "../sql/Backfill.ts"

/**
 * An invoice that credit notes took back says when. Of earlier ones a note that names the invoice tells it,
 * else the payer's first one that names none.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* backfill(
    "document",
    ({ after, tenantId, upTo }) => sql`
      UPDATE document d SET paid_at = coalesce(
        (SELECT max(n.issued_at) FROM document n WHERE n.tenant_id = d.tenant_id
          AND n.policy_id = d.policy_id AND n.credited_invoice_id = d.id),
        (SELECT min(n.issued_at) FROM document n WHERE n.tenant_id = d.tenant_id
          AND n.policy_id = d.policy_id AND n.customer_id = d.customer_id
          AND n.type = 'CREDIT_NOTE' AND n.credited_invoice_id IS NULL
          AND n.issued_at >= d.issued_at),
        d.issued_at)
      WHERE d.tenant_id = ${tenantId} AND d.id > ${after} AND d.id <= ${upTo}
        AND d.status = 'CREDITED' AND d.paid_at IS NULL
    `
  )
})
