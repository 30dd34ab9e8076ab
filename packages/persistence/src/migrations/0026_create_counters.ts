import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/** Numbers that people read: `incrementalId` of policies, and one series of documents each. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE counter (
      tenant_id text COLLATE "C" NOT NULL REFERENCES tenant,
      series    text COLLATE "C" NOT NULL,
      value     bigint           NOT NULL,
      PRIMARY KEY (tenant_id, series)
    )
  `
  yield* protect("counter", ["SELECT", "INSERT", "UPDATE"])
})
