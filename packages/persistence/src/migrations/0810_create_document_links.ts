import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/**
 * Links that open a document without a token. Of the secret in a link only the hash is here; it is derived
 * from the row's identifier.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE document_link (
      tenant_id   text COLLATE "C" NOT NULL,
      id          text COLLATE "C" NOT NULL,
      document_id text COLLATE "C" NOT NULL,
      token_hash  bytea            NOT NULL CHECK (length(token_hash) = 32),
      -- Whose opening it proves.
      customer_id text COLLATE "C",
      -- The visitor who has made it: it ends with their session.
      session_id  text COLLATE "C",
      once        boolean          NOT NULL,
      author_kind text             NOT NULL,
      author_id   text COLLATE "C" NOT NULL,
      created_at  timestamptz      NOT NULL DEFAULT clock_timestamp(),
      expires_at  timestamptz      NOT NULL,
      revoked_at  timestamptz,
      opened_at   timestamptz,
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, token_hash),
      FOREIGN KEY (tenant_id, document_id) REFERENCES document,
      FOREIGN KEY (tenant_id, customer_id) REFERENCES customer,
      FOREIGN KEY (tenant_id, session_id) REFERENCES anonymous_session
    )
  `
  yield* sql`
    CREATE INDEX document_link_document ON document_link (tenant_id, document_id, expires_at)
  `
  yield* sql`
    CREATE INDEX document_link_customer ON document_link (tenant_id, customer_id)
    WHERE customer_id IS NOT NULL
  `
  yield* sql`
    CREATE INDEX document_link_session ON document_link (tenant_id, session_id)
    WHERE session_id IS NOT NULL
  `
  yield* protect("document_link", ["SELECT", "INSERT", "UPDATE"])
})
