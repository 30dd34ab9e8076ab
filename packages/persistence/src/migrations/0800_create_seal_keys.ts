import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/**
 * By what a tenant seals: certificates, and private keys that are sealed under a key of the service. A key
 * that is retired is destroyed, and its certificate stays.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE seal_key (
      tenant_id    text COLLATE "C" NOT NULL REFERENCES tenant,
      -- The SHA-256 of the certificate.
      id           text COLLATE "C" NOT NULL CHECK (id ~ '^[0-9a-f]{64}$'),
      use          text COLLATE "C" NOT NULL CHECK (use IN ('SEAL', 'TIMESTAMP', 'AUTHORITY')),
      certificates text             NOT NULL,
      sealed_key   text,
      created_at   timestamptz      NOT NULL DEFAULT clock_timestamp(),
      retired_at   timestamptz,
      PRIMARY KEY (tenant_id, id),
      CHECK ((sealed_key IS NULL) = (retired_at IS NOT NULL))
    )
  `
  yield* sql`
    CREATE UNIQUE INDEX seal_key_active ON seal_key (tenant_id, use) WHERE retired_at IS NULL
  `
  yield* protect("seal_key", ["SELECT", "INSERT", "UPDATE"])
})
