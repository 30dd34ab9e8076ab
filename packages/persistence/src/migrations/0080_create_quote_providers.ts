import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/** The programs that price a tenant's products beside the built-in engine, as its operator set them up. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE quote_provider (
      tenant_id        text COLLATE "C" NOT NULL REFERENCES tenant,
      id               text COLLATE "C" NOT NULL,
      url              text             NOT NULL,
      key_id           text COLLATE "C" NOT NULL,
      encrypted_secret text             NOT NULL,
      try_timeout      integer          NOT NULL CHECK (try_timeout > 0),
      total_timeout    integer          NOT NULL CHECK (total_timeout >= try_timeout),
      created_at       timestamptz      NOT NULL DEFAULT now(),
      last_modified_at timestamptz      NOT NULL DEFAULT now(),
      PRIMARY KEY (tenant_id, id)
    )
  `
  yield* protect("quote_provider", ["SELECT", "INSERT", "UPDATE", "DELETE"])
})
