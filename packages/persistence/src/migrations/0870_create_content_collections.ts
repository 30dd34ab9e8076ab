import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protectDirectory } from "../sql/TenantTable.ts"

/** When the contents of a tenant are looked through the next time. A tenant without a row was never looked at. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE content_collection (
      tenant_id text COLLATE "C" PRIMARY KEY REFERENCES tenant,
      due_at    timestamptz      NOT NULL
    )
  `
  yield* protectDirectory("content_collection", ["SELECT", "INSERT", "UPDATE"])
})
