import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

const createQuotes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE quote (
      tenant_id    text COLLATE "C" NOT NULL,
      id           text COLLATE "C" NOT NULL,
      policy_id    text COLLATE "C" NOT NULL,
      branch_id    text COLLATE "C" NOT NULL,
      segment_from timestamptz      NOT NULL,
      priced_hash  text             NOT NULL,
      created_at   timestamptz      NOT NULL,
      expires_at   timestamptz      NOT NULL,
      content      jsonb           NOT NULL,
      premium_items json           NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, policy_id, branch_id) REFERENCES branch
    )
  `
  yield* sql`CREATE INDEX quote_policy ON quote (tenant_id, policy_id, created_at, id)`
  yield* protect("quote", ["SELECT", "INSERT"])
})

const createSignatures = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE signature (
      tenant_id  text COLLATE "C" NOT NULL,
      id         text COLLATE "C" NOT NULL,
      policy_id  text COLLATE "C" NOT NULL,
      branch_id  text COLLATE "C" NOT NULL,
      quote_id   text COLLATE "C" NOT NULL,
      signer     jsonb            NOT NULL,
      text_id    text COLLATE "C" NOT NULL,
      text_hash  text             NOT NULL,
      signed_at  timestamptz      NOT NULL,
      address    text             NOT NULL,
      user_agent text             NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, policy_id, branch_id) REFERENCES branch,
      FOREIGN KEY (tenant_id, quote_id) REFERENCES quote
    )
  `
  yield* sql`CREATE INDEX signature_policy ON signature (tenant_id, policy_id)`
  yield* protect("signature", ["SELECT", "INSERT"])
})

/**
 * Quotes as they were given, and the signatures that accepted them: both are append only. Premium items
 * are apart from the content, so that billing need not unpack all of it (`PremiumItemsCodec`).
 */
export default Effect.gen(function* () {
  yield* createQuotes
  yield* createSignatures
})
