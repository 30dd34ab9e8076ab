import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protectDirectory } from "../sql/TenantTable.ts"

/**
 * Letters that are to be sent: written in the transaction that wants them sent, removed once they are.
 * A row names its invitation and says nothing else, so whoever sends may look for the rows of all
 * tenants at once.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE letter (
      tenant_id     text COLLATE "C" NOT NULL,
      invitation_id text COLLATE "C" NOT NULL,
      attempts      integer          NOT NULL DEFAULT 0,
      due_at        timestamptz      NOT NULL DEFAULT clock_timestamp(),
      PRIMARY KEY (tenant_id, invitation_id),
      FOREIGN KEY (tenant_id, invitation_id) REFERENCES invitation
    )
  `
  yield* sql`CREATE INDEX letter_due ON letter (tenant_id, due_at)`
  yield* protectDirectory("letter", ["SELECT", "INSERT", "UPDATE", "DELETE"])
})
