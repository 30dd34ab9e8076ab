import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/** Files that products and templates name: their bytes are kept for as long as they are listed here. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE document_file (
      tenant_id       text COLLATE "C" NOT NULL REFERENCES tenant,
      sha256          text COLLATE "C" NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
      size            bigint           NOT NULL CHECK (size > 0),
      media_type      text             NOT NULL,
      pages           integer          CHECK (pages > 0),
      content_address text COLLATE "C" NOT NULL,
      added_at        timestamptz      NOT NULL,
      PRIMARY KEY (tenant_id, sha256),
      FOREIGN KEY (tenant_id, content_address) REFERENCES content
    )
  `
  yield* sql`
    CREATE INDEX document_file_content ON document_file (tenant_id, content_address)
  `
  yield* protect("document_file", ["SELECT", "INSERT"])
})
