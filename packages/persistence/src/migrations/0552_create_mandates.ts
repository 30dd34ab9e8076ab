import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/**
 * What debtors sign so that money may be collected from their accounts. `payment_number` counts the numbers
 * that banks and people see, by their letters: none is used again.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE payment_number (
      tenant_id   text COLLATE "C" NOT NULL REFERENCES tenant,
      letters     text COLLATE "C" NOT NULL,
      last_number bigint           NOT NULL,
      PRIMARY KEY (tenant_id, letters)
    )
  `
  yield* protect("payment_number", ["SELECT", "INSERT", "UPDATE"])
  yield* sql`
    CREATE TABLE mandate (
      tenant_id           text COLLATE "C" NOT NULL,
      id                  text COLLATE "C" NOT NULL,
      payment_method_id   text COLLATE "C" NOT NULL,
      customer_id         text COLLATE "C" NOT NULL,
      bank_account_id     text COLLATE "C" NOT NULL,
      creditor_identifier text COLLATE "C" NOT NULL,
      umr                 text COLLATE "C" NOT NULL,
      scheme              text             NOT NULL,
      type                text             NOT NULL,
      status              text             NOT NULL,
      locale              text,
      text_hash           text,
      signed_on           date,
      evidence            jsonb,
      bank_confirmation   jsonb,
      last_presented_on   date,
      amendments          jsonb            NOT NULL,
      created_at          timestamptz      NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, customer_id) REFERENCES customer,
      FOREIGN KEY (tenant_id, payment_method_id) REFERENCES payment_method,
      FOREIGN KEY (tenant_id, bank_account_id) REFERENCES bank_account,
      CHECK (status IN ('DRAFT', 'CANCELLED') OR signed_on IS NOT NULL)
    )
  `
  // Banks give references back in another case and with other blanks: these are one mandate, too.
  yield* sql`
    CREATE UNIQUE INDEX mandate_reference
    ON mandate (tenant_id, creditor_identifier, upper(replace(umr, ' ', '')))
  `
  yield* sql`CREATE INDEX mandate_customer ON mandate (tenant_id, customer_id, created_at, id)`
  yield* sql`CREATE INDEX mandate_method ON mandate (tenant_id, payment_method_id)`
  yield* protect("mandate", ["SELECT", "INSERT", "UPDATE"])
})
