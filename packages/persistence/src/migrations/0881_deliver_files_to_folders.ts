import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protectDirectory } from "../sql/TenantTable.ts"

/**
 * Files on their way to a folder from which their bank takes them. The token names the copy that may be released: of
 * several that workers have written, no other one ever leaves.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE payment_file DROP CONSTRAINT payment_file_status_check`
  yield* sql`
    ALTER TABLE payment_file
      ADD CONSTRAINT payment_file_status_check CHECK (status IN ('OPEN', 'FILLED', 'SEALED',
        'DELIVERING', 'DELIVERED', 'ACCEPTED', 'PARTLY_REJECTED', 'REJECTED', 'CANCELLED')),
      ADD CONSTRAINT payment_file_delivering CHECK (status <> 'DELIVERING' OR sealed_at IS NOT NULL)
  `
  yield* sql`
    CREATE TABLE file_delivery (
      tenant_id       text COLLATE "C" NOT NULL,
      payment_file_id text COLLATE "C" NOT NULL,
      token           text COLLATE "C",
      due_at          timestamptz      NOT NULL DEFAULT clock_timestamp(),
      attempts        integer          NOT NULL DEFAULT 0,
      PRIMARY KEY (tenant_id, payment_file_id),
      FOREIGN KEY (tenant_id, payment_file_id) REFERENCES payment_file
    )
  `
  yield* sql`CREATE INDEX file_delivery_due ON file_delivery (tenant_id, due_at)`
  yield* protectDirectory("file_delivery", ["SELECT", "INSERT", "UPDATE", "DELETE"])
})
