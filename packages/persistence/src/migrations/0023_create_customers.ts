import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/** Customers and assets themselves; what they are on a policy, over time, is in `validity`. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE customer (
      tenant_id                   text COLLATE "C" NOT NULL REFERENCES tenant,
      id                          text COLLATE "C" NOT NULL,
      type                        text             NOT NULL,
      name                        text,
      email                       text,
      status                      text             NOT NULL,
      payment_mode                text             NOT NULL,
      preferred_payment_method_id text COLLATE "C",
      created_at                  timestamptz      NOT NULL,
      last_modified_at            timestamptz      NOT NULL,
      PRIMARY KEY (tenant_id, id)
    )
  `
  yield* protect("customer", ["SELECT", "INSERT", "UPDATE"])
  yield* sql`
    CREATE TABLE customer_policy (
      tenant_id   text COLLATE "C" NOT NULL,
      customer_id text COLLATE "C" NOT NULL,
      policy_id   text COLLATE "C" NOT NULL,
      linked_at   timestamptz      NOT NULL,
      PRIMARY KEY (tenant_id, customer_id, policy_id),
      FOREIGN KEY (tenant_id, customer_id) REFERENCES customer,
      FOREIGN KEY (tenant_id, policy_id) REFERENCES policy
    )
  `
  yield* sql`CREATE INDEX customer_policy_policy ON customer_policy (tenant_id, policy_id)`
  yield* protect("customer_policy", ["SELECT", "INSERT", "DELETE"])
  yield* sql`
    CREATE TABLE asset (
      tenant_id        text COLLATE "C" NOT NULL,
      id               text COLLATE "C" NOT NULL,
      policy_id        text COLLATE "C" NOT NULL,
      created_at       timestamptz      NOT NULL,
      last_modified_at timestamptz      NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, policy_id) REFERENCES policy
    )
  `
  yield* sql`CREATE INDEX asset_policy ON asset (tenant_id, policy_id, created_at, id)`
  yield* protect("asset", ["SELECT", "INSERT", "UPDATE"])
})
