import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/** The accounts of customers, each sealed, and found by its print. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE payment_method (
      tenant_id      text COLLATE "C" NOT NULL,
      id             text COLLATE "C" NOT NULL,
      customer_id    text COLLATE "C" NOT NULL,
      type           text             NOT NULL,
      status         text             NOT NULL,
      holder_name    text             NOT NULL,
      holder_address jsonb,
      country        text             NOT NULL,
      last4          text             NOT NULL,
      bic            text,
      sealed_iban    text             NOT NULL,
      iban_print     bytea            NOT NULL CHECK (length(iban_print) = 16),
      created_at     timestamptz      NOT NULL,
      disabled_at    timestamptz,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, customer_id) REFERENCES customer
    )
  `
  yield* sql`
    CREATE INDEX payment_method_customer ON payment_method (tenant_id, customer_id, created_at, id)
  `
  yield* sql`CREATE INDEX payment_method_print ON payment_method (tenant_id, iban_print)`
  yield* protect("payment_method", ["SELECT", "INSERT", "UPDATE"])
})
