import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/** Payments that the bank took back: each at most once, and for good. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE payment_return (
      tenant_id   text COLLATE "C" NOT NULL,
      payment_id  text COLLATE "C" NOT NULL,
      reason_code text             NOT NULL,
      fee         bigint           CHECK (fee > 0),
      returned_at timestamptz      NOT NULL,
      recorded_at timestamptz      NOT NULL,
      PRIMARY KEY (tenant_id, payment_id),
      FOREIGN KEY (tenant_id, payment_id) REFERENCES payment
    )
  `
  yield* protect("payment_return", ["SELECT", "INSERT"])
})
