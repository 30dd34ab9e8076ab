import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE product_version (
      tenant_id    text COLLATE "C" NOT NULL REFERENCES tenant,
      product_id   text COLLATE "C" NOT NULL,
      version      text COLLATE "C" NOT NULL,
      seq          integer          NOT NULL,
      document     jsonb            NOT NULL,
      published_at timestamptz      NOT NULL,
      PRIMARY KEY (tenant_id, product_id, version),
      UNIQUE (tenant_id, product_id, seq)
    )
  `
  yield* protect("product_version", ["SELECT", "INSERT"])
})
