import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/**
 * How long a tenant keeps data, and when the job looks at each customer the next time. A customer without a
 * row was never looked at; `found_until` says up to which day of their creation all have one.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE retention_setting (
      tenant_id    text COLLATE "C" PRIMARY KEY REFERENCES tenant,
      is_automatic boolean          NOT NULL,
      rules        jsonb            NOT NULL,
      found_until  timestamptz,
      changed_at   timestamptz      NOT NULL,
      changed_by   text COLLATE "C" NOT NULL
    )
  `
  yield* protect("retention_setting", ["SELECT", "INSERT", "UPDATE"])
  yield* sql`
    CREATE TABLE retention_look (
      tenant_id   text COLLATE "C" NOT NULL,
      customer_id text COLLATE "C" NOT NULL,
      look_at     timestamptz      NOT NULL,
      PRIMARY KEY (tenant_id, customer_id),
      FOREIGN KEY (tenant_id, customer_id) REFERENCES customer
    )
  `
  yield* sql`CREATE INDEX retention_look_next ON retention_look (tenant_id, look_at, customer_id)`
  yield* protect("retention_look", ["SELECT", "INSERT", "UPDATE", "DELETE"])
})
