import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** A change may undo another one, and a branch may be given up, with a reason. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    ALTER TABLE policy_change
      ADD COLUMN reverts text COLLATE "C",
      ADD FOREIGN KEY (tenant_id, reverts) REFERENCES policy_change (tenant_id, id)
  `
  yield* sql`
    ALTER TABLE branch
      ADD COLUMN invalidated_at timestamptz,
      ADD COLUMN invalidation_reason text,
      ADD CHECK ((status = 'INVALIDATED') = (invalidation_reason IS NOT NULL)),
      ADD CHECK ((invalidated_at IS NULL) = (invalidation_reason IS NULL))
  `
})
