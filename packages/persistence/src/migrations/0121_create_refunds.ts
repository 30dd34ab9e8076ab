import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/** Credit balances that were paid back. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE refund (
      tenant_id   text COLLATE "C" NOT NULL,
      id          text COLLATE "C" NOT NULL,
      policy_id   text COLLATE "C" NOT NULL,
      customer_id text COLLATE "C" NOT NULL,
      amount      bigint           NOT NULL CHECK (amount > 0),
      currency    text             NOT NULL,
      method      text             NOT NULL,
      reference   text             NOT NULL,
      recorded_at timestamptz      NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, policy_id) REFERENCES policy,
      FOREIGN KEY (tenant_id, customer_id) REFERENCES customer
    )
  `
  yield* sql`CREATE INDEX refund_policy ON refund (tenant_id, policy_id, recorded_at, id)`
  yield* protect("refund", ["SELECT", "INSERT"])
})
