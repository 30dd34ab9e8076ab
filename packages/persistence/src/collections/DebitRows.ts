/** How debits are read. */
import { Debit } from "@quittance/domain/collections/Debit"
import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { InstantColumn, IntColumn } from "../sql/Columns.ts"
import { withoutNulls } from "../sql/Rows.ts"

const decode = Schema.decodeUnknownEffect(
  Schema.Struct({
    ...Debit.fields,
    amount: Schema.optionalKey(IntColumn),
    plannedAt: InstantColumn
  })
)

/** A debit `d` with its items. */
export const debitColumns = (sql: SqlClient.SqlClient) => sql`
  d.id, d.policy_id, d.customer_id, d.bank_account_id, d.payment_method_id, d.mandate_id, d.scheme,
  d.end_to_end_id, d.currency, d.status, d.notification_days, d.announcement, d.notified_on::text,
  d.earliest::text, d.submit_on::text, d.collect_on::text, d.attempt, d.amount, d.cancellation,
  d.planned_at, d.payment_file_id, d.payment_id, d.flag, d.reason_code, d.failed_on::text,
  d.replaces, (
    SELECT json_agg(json_strip_nulls(json_build_object('invoiceId', i.invoice_id,
      'notified', i.notified, 'amount', i.amount)) ORDER BY i.position)
    FROM debit_item i WHERE i.tenant_id = d.tenant_id AND i.debit_id = d.id
  ) AS items`

export const debitOf = (row: object) => Effect.orDie(decode(withoutNulls(row)))
