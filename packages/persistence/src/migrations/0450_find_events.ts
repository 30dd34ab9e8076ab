import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Events by their identifiers, and the epoch of each tenant's feed: drawn again once a database was
 * restored, so that readers see that positions may tell of other events than before.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE UNIQUE INDEX event_id ON event (tenant_id, id)`
  yield* sql`ALTER TABLE tenant ADD event_epoch text NOT NULL DEFAULT gen_random_uuid()::text`
})
