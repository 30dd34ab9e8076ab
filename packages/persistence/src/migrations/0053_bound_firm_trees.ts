import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Bounds the tree of firms, whose paths every row holds, and orders firms as they are listed. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    ALTER TABLE brokerage_firm
      ADD CONSTRAINT brokerage_firm_depth_check CHECK (cardinality(path) <= 20)
  `
  yield* sql`CREATE INDEX brokerage_firm_created ON brokerage_firm (tenant_id, created_at, id)`
})
