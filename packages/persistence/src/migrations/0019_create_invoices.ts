import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/**
 * Invoices and credit notes, their lines on them, as `json` of few characters that the database need not take
 * apart (`InvoiceLinesCodec`, `AmountCodec`). The second unique key makes a second invoice for one period
 * impossible: `cause` is empty on the grid.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE invoice (
      tenant_id           text COLLATE "C" NOT NULL,
      id                  text COLLATE "C" NOT NULL,
      policy_id           text COLLATE "C" NOT NULL,
      customer_id         text COLLATE "C" NOT NULL,
      type                text             NOT NULL CHECK (type IN ('INVOICE', 'CREDIT_NOTE')),
      series              text COLLATE "C" NOT NULL,
      number              bigint           NOT NULL CHECK (number > 0),
      status              text             NOT NULL CHECK (status IN ('DRAFTED', 'ISSUED',
        'PAYMENT_IN_PROGRESS', 'PAID', 'PAYMENT_FAILED', 'PARTIALLY_PAID', 'PAYMENT_DISPUTED',
        'CREDITED', 'WRITTEN_OFF', 'CANCELLED')),
      currency            text             NOT NULL,
      term                integer          NOT NULL,
      period_start        date             NOT NULL,
      period_end          date             NOT NULL,
      cause               text COLLATE "C" NOT NULL,
      is_first            boolean          NOT NULL,
      planned_on          date             NOT NULL,
      issued_at           timestamptz      NOT NULL,
      due_on              date             NOT NULL,
      total               bigint           NOT NULL,
      paid                bigint           NOT NULL,
      paid_at             timestamptz,
      credited_invoice_id text COLLATE "C",
      amount              json             NOT NULL,
      lines               json             NOT NULL,
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, policy_id, customer_id, type, term, period_start, cause),
      UNIQUE (tenant_id, series, number),
      FOREIGN KEY (tenant_id, policy_id) REFERENCES policy,
      FOREIGN KEY (tenant_id, customer_id) REFERENCES customer,
      FOREIGN KEY (tenant_id, credited_invoice_id) REFERENCES invoice,
      CHECK (period_start <= period_end),
      CHECK (type <> 'INVOICE' OR total >= 0 AND paid BETWEEN 0 AND total),
      CHECK (type <> 'CREDIT_NOTE' OR total < 0 AND paid BETWEEN total AND 0)
    )
  `
  yield* protect("invoice", [
    "SELECT",
    "INSERT",
    // What was invoiced is never changed, only how it stands.
    "UPDATE (status, paid, paid_at)"
  ])
})
