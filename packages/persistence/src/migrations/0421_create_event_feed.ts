import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect, protectDirectory } from "../sql/TenantTable.ts"

const createPending = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE event_pending (
      tenant_id text COLLATE "C" NOT NULL,
      ticket    bigint           NOT NULL GENERATED ALWAYS AS IDENTITY,
      subject   text COLLATE "C" NOT NULL,
      seq       integer          NOT NULL,
      PRIMARY KEY (tenant_id, ticket)
    )
  `
  yield* protectDirectory("event_pending", ["SELECT", "INSERT", "DELETE"])
})

/**
 * Every new event waits for its position, also from programs of the previous release, which know no
 * positions.
 */
const announceEvents = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE FUNCTION announce_events() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO event_pending (tenant_id, subject, seq)
      SELECT tenant_id, subject, seq FROM written ORDER BY tenant_id, subject, seq;
      RETURN NULL;
    END $$
  `
  yield* sql`
    CREATE TRIGGER announce_events AFTER INSERT ON event REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION announce_events()
  `
})

/** What was recorded before gets its positions too, by when it was, each subject's in their order. */
const announcePast = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tenants = yield* sql<{ readonly tenantId: string }>`
    SELECT tenant_id FROM tenant ORDER BY tenant_id
  `
  for (const { tenantId } of tenants) {
    yield* sql`SELECT set_config('app.tenant', ${tenantId}, true)`
    yield* sql`
      INSERT INTO event_pending (tenant_id, subject, seq)
      SELECT tenant_id, subject, seq FROM (
        SELECT tenant_id, subject, seq,
          max(recorded_at) OVER (PARTITION BY subject ORDER BY seq) AS reached_at
        FROM event WHERE tenant_id = ${tenantId}
      ) e ORDER BY reached_at, subject, seq
    `
  }
  yield* sql`SELECT set_config('app.tenant', '', true)`
})

const createFeed = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE event_feed (
      tenant_id text COLLATE "C" NOT NULL REFERENCES tenant,
      position  bigint           NOT NULL CHECK (position > 0),
      subject   text COLLATE "C" NOT NULL,
      seq       integer          NOT NULL,
      PRIMARY KEY (tenant_id, position),
      UNIQUE (tenant_id, subject, seq)
    )
  `
  yield* protect("event_feed", ["SELECT", "INSERT"])
  yield* sql`
    CREATE TABLE event_head (
      tenant_id text COLLATE "C" NOT NULL,
      position  bigint           NOT NULL CHECK (position > 0),
      PRIMARY KEY (tenant_id)
    )
  `
  yield* protectDirectory("event_head", ["SELECT", "INSERT", "UPDATE"])
  yield* sql`
    CREATE TABLE event_consumer (
      tenant_id text COLLATE "C" NOT NULL,
      name      text COLLATE "C" NOT NULL,
      position  bigint           NOT NULL CHECK (position > 0),
      PRIMARY KEY (tenant_id, name)
    )
  `
  yield* protectDirectory("event_consumer", ["SELECT", "INSERT", "UPDATE"])
})

/**
 * The feed of events: a tenant's events in one order, `position` without gaps, given once they are
 * committed. `event_pending` holds what waits for that, by tickets that grow with each subject's `seq`;
 * `event_head` is the last position, and `event_consumer` how far each consumer has come.
 */
export default Effect.gen(function* () {
  yield* createPending
  yield* announceEvents
  yield* announcePast
  yield* createFeed
})
