import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/**
 * What was erased, and what must not be. A row of `erasure` says how many rows of which table were emptied and
 * why; it has no value and no digest of a value. Only the function `erase` writes it.
 */
const createTables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE erasure (
      tenant_id          text COLLATE "C" NOT NULL REFERENCES tenant,
      id                 text COLLATE "C" NOT NULL,
      customer_id        text COLLATE "C" NOT NULL,
      policy_id          text COLLATE "C",
      class              text             NOT NULL,
      counts             jsonb            NOT NULL,
      ground             text             NOT NULL,
      privacy_request_id text COLLATE "C",
      erased_at          timestamptz      NOT NULL,
      recorded_at        timestamptz      NOT NULL DEFAULT clock_timestamp(),
      PRIMARY KEY (tenant_id, id)
    )
  `
  yield* sql`CREATE INDEX erasure_of ON erasure (tenant_id, customer_id, policy_id, class)`
  yield* sql`CREATE INDEX erasure_recorded ON erasure (tenant_id, recorded_at, id)`
  yield* protect("erasure", ["SELECT"])
  yield* sql`
    CREATE TABLE retention_hold (
      tenant_id   text COLLATE "C" NOT NULL REFERENCES tenant,
      id          text COLLATE "C" NOT NULL,
      customer_id text COLLATE "C",
      policy_id   text COLLATE "C",
      reason      text             NOT NULL,
      until       timestamptz,
      placed_by   text COLLATE "C" NOT NULL,
      placed_at   timestamptz      NOT NULL,
      lifted_at   timestamptz,
      PRIMARY KEY (tenant_id, id),
      CHECK ((customer_id IS NULL) <> (policy_id IS NULL)),
      FOREIGN KEY (tenant_id, customer_id) REFERENCES customer,
      FOREIGN KEY (tenant_id, policy_id) REFERENCES policy
    )
  `
  yield* sql`
    CREATE INDEX retention_hold_customer ON retention_hold (tenant_id, customer_id)
    WHERE lifted_at IS NULL
  `
  yield* sql`
    CREATE INDEX retention_hold_policy ON retention_hold (tenant_id, policy_id)
    WHERE lifted_at IS NULL
  `
  yield* protect("retention_hold", ["SELECT", "INSERT", "UPDATE (lifted_at)"])
})

/** A document whose bytes are destroyed keeps no digest of them, uploads too. */
const allowErasedUploads = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    ALTER TABLE document DROP CONSTRAINT document_uploaded,
      ADD CONSTRAINT document_uploaded CHECK (origin <> 'UPLOADED' OR (author_kind IS NOT NULL
        AND author_id IS NOT NULL AND (sha256 IS NOT NULL OR status = 'ERASED'))) NOT VALID
  `
})

export default Effect.gen(function* () {
  yield* createTables
  yield* allowErasedUploads
})
