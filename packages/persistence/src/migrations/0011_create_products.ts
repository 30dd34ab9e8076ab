import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

const createVersions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE product_version (
      tenant_id    text COLLATE "C" NOT NULL REFERENCES tenant,
      product_id   text COLLATE "C" NOT NULL,
      version      text COLLATE "C" NOT NULL,
      seq          integer          NOT NULL,
      definition   jsonb           NOT NULL,
      published_at timestamptz      NOT NULL,
      PRIMARY KEY (tenant_id, product_id, version),
      UNIQUE (tenant_id, product_id, seq)
    )
  `
  yield* protect("product_version", ["SELECT", "INSERT"])
})

const createQuoteProviders = Effect.gen(function* () {
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

/** Versions of products, and the programs that price products beside the built-in engine. */
export default Effect.gen(function* () {
  yield* createVersions
  yield* createQuoteProviders
})
