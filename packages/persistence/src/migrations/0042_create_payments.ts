import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/** Money received, the invoices it settled, and what became credit balance. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE payment (
      tenant_id      text COLLATE "C" NOT NULL,
      id             text COLLATE "C" NOT NULL,
      policy_id      text COLLATE "C" NOT NULL,
      customer_id    text COLLATE "C" NOT NULL,
      invoice_id     text COLLATE "C" NOT NULL,
      amount         bigint           NOT NULL CHECK (amount > 0),
      currency       text             NOT NULL,
      method         text             NOT NULL,
      reference      text             NOT NULL,
      paid_at        timestamptz      NOT NULL,
      recorded_at    timestamptz      NOT NULL,
      allocations    jsonb            NOT NULL,
      credit_balance bigint           NOT NULL CHECK (credit_balance BETWEEN 0 AND amount),
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, policy_id) REFERENCES policy,
      FOREIGN KEY (tenant_id, customer_id) REFERENCES customer,
      FOREIGN KEY (tenant_id, invoice_id) REFERENCES document
    )
  `
  yield* sql`CREATE INDEX payment_policy ON payment (tenant_id, policy_id, recorded_at, id)`
  yield* protect("payment", ["SELECT", "INSERT"])
})
