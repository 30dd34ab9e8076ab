import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // The path names the firm and every firm above it, so a grant on one of them is found by a look
  // into the row, and no query climbs the tree.
  yield* sql`
    CREATE TABLE brokerage_firm (
      tenant_id                text COLLATE "C"   NOT NULL REFERENCES tenant,
      id                       text COLLATE "C"   NOT NULL,
      name                     text               NOT NULL,
      firm_type                text               NOT NULL CHECK (firm_type IN ('WHOLESALE', 'RETAIL')),
      parent_brokerage_firm_id text COLLATE "C",
      path                     text[] COLLATE "C" NOT NULL CHECK (path[1] = id),
      custom_fields            jsonb              NOT NULL DEFAULT '[]',
      created_at               timestamptz        NOT NULL DEFAULT now(),
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, parent_brokerage_firm_id) REFERENCES brokerage_firm,
      CHECK (path[2] IS NOT DISTINCT FROM parent_brokerage_firm_id)
    )
  `
  yield* sql`
    CREATE INDEX brokerage_firm_parent ON brokerage_firm (tenant_id, parent_brokerage_firm_id)
  `
  yield* protect("brokerage_firm", ["SELECT", "INSERT", "UPDATE"])
})
