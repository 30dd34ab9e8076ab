import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/** The answer to a request, for its repetition. */
const createIdempotency = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE idempotency (
      tenant_id   text COLLATE "C" NOT NULL REFERENCES tenant,
      caller_id   text COLLATE "C" NOT NULL,
      key         text COLLATE "C" NOT NULL,
      fingerprint text COLLATE "C" NOT NULL,
      outcome     jsonb            NOT NULL,
      recorded_at timestamptz      NOT NULL,
      PRIMARY KEY (tenant_id, caller_id, key)
    )
  `
  yield* sql`CREATE INDEX idempotency_age ON idempotency (tenant_id, recorded_at)`
  yield* protect("idempotency", ["SELECT", "INSERT", "UPDATE", "DELETE"])
})

/** How often something was asked for in a window of time. */
const createRateLimits = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Counters are worth nothing after a crash, so they are not logged. `granted` is what the last
  // statement was given: an upsert answers the new row alone, and could not compare it.
  yield* sql`
    CREATE UNLOGGED TABLE rate_limit (
      tenant_id text COLLATE "C" NOT NULL,
      bucket    text COLLATE "C" NOT NULL,
      count     integer          NOT NULL,
      ends_at   timestamptz      NOT NULL,
      granted   integer          NOT NULL DEFAULT 0,
      PRIMARY KEY (tenant_id, bucket)
    )
  `
  yield* sql`CREATE INDEX rate_limit_ends ON rate_limit (tenant_id, ends_at)`
  yield* protect("rate_limit", ["SELECT", "INSERT", "UPDATE", "DELETE"])
})

/** Counts and answers in one statement. */
const createTakeRateLimit = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // One round trip for what is asked for with every session and lease. It runs with the rights and under the
  // row level security of its caller.
  yield* sql`
    CREATE FUNCTION take_rate_limit(
      tenant text, name text, wanted integer, maximum integer, window_seconds integer,
      OUT granted integer, OUT remaining integer, OUT ends_in integer
    ) LANGUAGE plpgsql AS $$
    DECLARE
      length interval := window_seconds * interval '1 second';
      total integer;
      over timestamptz;
    BEGIN
      -- excluded.ends_at is one reading of the clock for all columns: with two, a unit at the very end
      -- could open a new window with the old count.
      INSERT INTO rate_limit AS r (tenant_id, bucket, count, granted, ends_at)
      VALUES (tenant, name, least(wanted, maximum), least(wanted, maximum), clock_timestamp() + length)
      ON CONFLICT (tenant_id, bucket) DO UPDATE SET
        count = CASE WHEN r.ends_at <= excluded.ends_at - length THEN excluded.count
          ELSE r.count + greatest(least(wanted, maximum - r.count), 0) END,
        granted = CASE WHEN r.ends_at <= excluded.ends_at - length THEN excluded.count
          ELSE greatest(least(wanted, maximum - r.count), 0) END,
        ends_at = CASE WHEN r.ends_at <= excluded.ends_at - length THEN excluded.ends_at
          ELSE r.ends_at END
      RETURNING r.count, r.granted, r.ends_at INTO total, granted, over;
      remaining := greatest(maximum - total, 0);
      ends_in := greatest(floor(extract(epoch FROM over - clock_timestamp()) * 1000), 0);
      -- Each window that opens takes two that are over along, so the table does not grow.
      IF total = granted THEN
        DELETE FROM rate_limit WHERE tenant_id = tenant AND bucket IN (
          SELECT o.bucket FROM rate_limit o
          WHERE o.tenant_id = tenant AND o.ends_at <= clock_timestamp()
          ORDER BY o.ends_at LIMIT 2 FOR UPDATE SKIP LOCKED
        );
      END IF;
    END $$
  `
})

/** `incrementalId` of policies, and one series of invoices each. */
const createCounters = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE counter (
      tenant_id text COLLATE "C" NOT NULL REFERENCES tenant,
      series    text COLLATE "C" NOT NULL,
      value     bigint           NOT NULL,
      PRIMARY KEY (tenant_id, series)
    )
  `
  yield* protect("counter", ["SELECT", "INSERT", "UPDATE"])
})

/** What requests leave behind: answers for repetitions, counted limits, and numbers that people read. */
export default Effect.gen(function* () {
  yield* createIdempotency
  yield* createRateLimits
  yield* createTakeRateLimit
  yield* createCounters
})
