import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Counters are worth nothing after a crash, so they are not logged.
  yield* sql`
    CREATE UNLOGGED TABLE rate_limit (
      tenant_id text COLLATE "C" NOT NULL,
      bucket    text COLLATE "C" NOT NULL,
      count     integer          NOT NULL,
      ends_at   timestamptz      NOT NULL,
      PRIMARY KEY (tenant_id, bucket)
    )
  `
  yield* sql`CREATE INDEX rate_limit_ends ON rate_limit (tenant_id, ends_at)`
  yield* protect("rate_limit", ["SELECT", "INSERT", "UPDATE", "DELETE"])
})
