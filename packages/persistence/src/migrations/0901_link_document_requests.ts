import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protectDirectory } from "../sql/TenantTable.ts"

/**
 * Letters that ask for documents, each until it has left, and the links that they bring. A link is derived from its
 * request and the files that were rejected; only the hash of the last one is kept, until it has taken a file.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    ALTER TABLE document_request
      ADD COLUMN link_hash       bytea CHECK (length(link_hash) = 32),
      ADD COLUMN link_expires_at timestamptz
  `
  yield* sql`
    CREATE TABLE document_request_letter (
      tenant_id  text COLLATE "C" NOT NULL,
      request_id text COLLATE "C" NOT NULL,
      due_at     timestamptz      NOT NULL DEFAULT clock_timestamp(),
      attempts   integer          NOT NULL DEFAULT 0,
      PRIMARY KEY (tenant_id, request_id),
      FOREIGN KEY (tenant_id, request_id) REFERENCES document_request
    )
  `
  yield* sql`
    CREATE INDEX document_request_letter_due ON document_request_letter (tenant_id, due_at)
  `
  yield* protectDirectory("document_request_letter", ["SELECT", "INSERT", "UPDATE", "DELETE"])
})
