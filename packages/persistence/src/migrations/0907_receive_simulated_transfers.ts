import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/** Transfers that payers of a sandbox have sent to its simulated bank, until a statement tells them. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE simulated_transfer (
      tenant_id       text COLLATE "C" NOT NULL,
      id              text COLLATE "C" NOT NULL,
      bank_account_id text COLLATE "C" NOT NULL,
      booked_on       date             NOT NULL,
      due_at          timestamptz      NOT NULL,
      amount          bigint           NOT NULL CHECK (amount > 0),
      debtor_name     text             NOT NULL,
      sealed_iban     text             NOT NULL,
      remittance      text,
      reference       text,
      received_at     timestamptz      NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, bank_account_id) REFERENCES bank_account
    )
  `
  yield* sql`
    CREATE INDEX simulated_transfer_due ON simulated_transfer (tenant_id, bank_account_id, due_at)
  `
  yield* protect("simulated_transfer", ["SELECT", "INSERT", "UPDATE (sealed_iban)", "DELETE"])
})
