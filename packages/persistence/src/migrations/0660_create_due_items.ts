import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/**
 * What falls due of records that belong to no one policy: files, debits of a day, payouts. `claim` is that of
 * the worker who has it, until `claimed_until` by the clock of the database; `due_at` is business time.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE due_item (
      tenant_id     text COLLATE "C" NOT NULL REFERENCES tenant,
      kind          text COLLATE "C" NOT NULL,
      record_id     text COLLATE "C" NOT NULL,
      due_at        timestamptz      NOT NULL,
      claim         text COLLATE "C",
      claimed_until timestamptz,
      attempts      integer          NOT NULL DEFAULT 0,
      reason        text,
      PRIMARY KEY (tenant_id, kind, record_id),
      CHECK ((claim IS NULL) = (claimed_until IS NULL))
    )
  `
  yield* sql`CREATE INDEX due_item_next ON due_item (tenant_id, due_at, kind, record_id)`
  yield* protect("due_item", ["SELECT", "INSERT", "UPDATE", "DELETE"])
})
