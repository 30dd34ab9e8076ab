/** How a migration fills what it adds: tenant by tenant, as row level security wants it, in batches. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The rows of one batch: those of the tenant with an `id` after the one, up to the other. */
export interface Batch {
  readonly tenantId: string
  readonly after: string
  readonly upTo: string
}

/**
 * Runs `fill` on all rows of a table of tenants that is keyed by `id`, so many at a time.
 */
export const backfill = Effect.fn("Backfill.backfill")(function* <A, E, R>(
  table: string,
  fill: (batch: Batch) => Effect.Effect<A, E, R>,
  size = 1_000
) {
  const sql = yield* SqlClient.SqlClient
  const tenants = yield* sql<{ readonly tenantId: string }>`
    SELECT tenant_id FROM tenant ORDER BY tenant_id
  `
  for (const { tenantId } of tenants) {
    yield* sql`SELECT set_config('app.tenant', ${tenantId}, true)`
    for (let after = ""; ;) {
      const [batch] = yield* sql<{ readonly upTo: string | null }>`
        SELECT max(id) AS up_to FROM (
          SELECT id FROM ${sql(table)} WHERE tenant_id = ${tenantId} AND id > ${after}
          ORDER BY id LIMIT ${size}
        ) next
      `
      if (batch!.upTo === null) break
      yield* fill({ tenantId, after, upTo: batch!.upTo })
      after = batch!.upTo
    }
  }
  yield* sql`SELECT set_config('app.tenant', '', true)`
})
