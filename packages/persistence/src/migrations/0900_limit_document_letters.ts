import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/**
 * How many letters about offers a mailbox has had since when: it is kept as what the service's key makes of it. A
 * letter that does not leave says why, and one that is tried again is counted once.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    ALTER TABLE document_letter
      ADD COLUMN counted  boolean NOT NULL DEFAULT false,
      ADD COLUMN not_sent text CHECK (not_sent IN ('LIMIT', 'NO_ADDRESS', 'ADDRESS', 'TRIES'))
  `
  yield* sql`
    CREATE TABLE document_mailbox (
      tenant_id text COLLATE "C" NOT NULL,
      key       bytea            NOT NULL CHECK (length(key) = 32),
      since     timestamptz      NOT NULL,
      letters   integer          NOT NULL CHECK (letters > 0),
      PRIMARY KEY (tenant_id, key)
    )
  `
  yield* sql`CREATE INDEX document_mailbox_since ON document_mailbox (tenant_id, since)`
  yield* protect("document_mailbox", ["SELECT", "INSERT", "UPDATE", "DELETE"])
})
