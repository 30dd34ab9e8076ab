import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/** What is collected from payers' accounts, and for each invoice how its money is to come. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE invoice ADD COLUMN collection jsonb`
  yield* sql`
    CREATE TABLE debit (
      tenant_id         text COLLATE "C" NOT NULL,
      id                text COLLATE "C" NOT NULL,
      policy_id         text COLLATE "C" NOT NULL,
      customer_id       text COLLATE "C" NOT NULL,
      bank_account_id   text COLLATE "C" NOT NULL,
      payment_method_id text COLLATE "C" NOT NULL,
      mandate_id        text COLLATE "C" NOT NULL,
      scheme            text             NOT NULL,
      end_to_end_id     text COLLATE "C" NOT NULL,
      currency          text             NOT NULL,
      status            text             NOT NULL,
      notification_days integer          NOT NULL,
      notified_on       date,
      earliest          date             NOT NULL,
      submit_on         date             NOT NULL,
      collect_on        date             NOT NULL,
      attempt           integer          NOT NULL,
      amount            bigint           CHECK (amount > 0),
      cancellation      text,
      planned_at        timestamptz      NOT NULL,
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, end_to_end_id),
      FOREIGN KEY (tenant_id, policy_id) REFERENCES policy,
      FOREIGN KEY (tenant_id, customer_id) REFERENCES customer,
      FOREIGN KEY (tenant_id, bank_account_id) REFERENCES bank_account,
      FOREIGN KEY (tenant_id, payment_method_id) REFERENCES payment_method,
      FOREIGN KEY (tenant_id, mandate_id) REFERENCES mandate,
      -- No debit reaches a bank before its payer was told, and without an amount.
      CHECK (status IN ('PLANNED', 'CANCELLED') OR (notified_on IS NOT NULL AND amount IS NOT NULL))
    )
  `
  yield* sql`CREATE INDEX debit_policy ON debit (tenant_id, policy_id, collect_on, id)`
  yield* sql`CREATE INDEX debit_mandate ON debit (tenant_id, mandate_id)`
  yield* sql`CREATE INDEX debit_day ON debit (tenant_id, collect_on, id)`
  // What a file of an account takes next.
  yield* sql`
    CREATE INDEX debit_planned ON debit (tenant_id, bank_account_id, submit_on, id)
    WHERE status = 'PLANNED'
  `
  yield* protect("debit", ["SELECT", "INSERT", "UPDATE"])
  yield* sql`
    CREATE TABLE debit_item (
      tenant_id  text COLLATE "C" NOT NULL,
      debit_id   text COLLATE "C" NOT NULL,
      invoice_id text COLLATE "C" NOT NULL,
      position   integer          NOT NULL,
      notified   bigint           NOT NULL CHECK (notified > 0),
      amount     bigint           CHECK (amount BETWEEN 0 AND notified),
      PRIMARY KEY (tenant_id, debit_id, invoice_id),
      FOREIGN KEY (tenant_id, debit_id) REFERENCES debit,
      FOREIGN KEY (tenant_id, invoice_id) REFERENCES invoice
    )
  `
  yield* sql`CREATE INDEX debit_item_invoice ON debit_item (tenant_id, invoice_id)`
  yield* protect("debit_item", ["SELECT", "INSERT", "UPDATE"])
})
