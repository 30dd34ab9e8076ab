import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protectDirectory } from "../sql/TenantTable.ts"

/** Documents that are made without a reader. The dispatcher sees of which tenants there are some. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE document_making (
      tenant_id   text COLLATE "C" NOT NULL,
      document_id text COLLATE "C" NOT NULL,
      tries       integer          NOT NULL DEFAULT 0,
      try_at      timestamptz      NOT NULL DEFAULT clock_timestamp(),
      PRIMARY KEY (tenant_id, document_id),
      FOREIGN KEY (tenant_id, document_id) REFERENCES document
    )
  `
  yield* protectDirectory("document_making", ["SELECT", "INSERT", "UPDATE", "DELETE"])
})
