import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE signing_key (
      tenant_id             text COLLATE "C" NOT NULL REFERENCES tenant,
      kid                   text COLLATE "C" NOT NULL,
      state                 text             NOT NULL CHECK (state IN ('NEXT', 'ACTIVE', 'RETIRED')),
      public_jwk            jsonb            NOT NULL CHECK (NOT public_jwk ? 'd'),
      encrypted_private_jwk text             NOT NULL,
      created_at            timestamptz      NOT NULL DEFAULT now(),
      activated_at          timestamptz      CHECK (activated_at IS NOT NULL OR state = 'NEXT'),
      retired_at            timestamptz      CHECK ((retired_at IS NOT NULL) = (state = 'RETIRED')),
      PRIMARY KEY (tenant_id, kid)
    )
  `
  yield* sql`
    CREATE UNIQUE INDEX signing_key_active_key ON signing_key (tenant_id) WHERE state = 'ACTIVE'
  `
  yield* protect("signing_key", ["SELECT", "INSERT", "UPDATE", "DELETE"])
})
