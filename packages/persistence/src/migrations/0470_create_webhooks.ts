import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect, protectDirectory } from "../sql/TenantTable.ts"

const createEndpoints = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE webhook (
      tenant_id         text COLLATE "C" NOT NULL REFERENCES tenant,
      id                text COLLATE "C" NOT NULL,
      url               text NOT NULL,
      description       text,
      types             text[] NOT NULL,
      brokerage_firm_id text COLLATE "C",
      ordering          text NOT NULL CHECK (ordering IN ('PER_SUBJECT', 'NONE')),
      signing           text NOT NULL CHECK (signing IN ('HMAC', 'ED25519')),
      schema            integer NOT NULL,
      headers           jsonb,
      filters           jsonb NOT NULL,
      disabled_reason   text CHECK (disabled_reason IN ('REQUESTED', 'GONE', 'FAILING')),
      failing_since     timestamptz,
      failures          integer NOT NULL DEFAULT 0,
      created_at        timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, brokerage_firm_id) REFERENCES brokerage_firm (tenant_id, id)
    )
  `
  yield* protect("webhook", ["SELECT", "INSERT", "UPDATE", "DELETE"])
  yield* sql`
    CREATE TABLE webhook_secret (
      tenant_id     text COLLATE "C" NOT NULL,
      id            text COLLATE "C" NOT NULL,
      webhook_id    text COLLATE "C" NOT NULL,
      sealed_secret text NOT NULL,
      created_at    timestamptz NOT NULL,
      ends_at       timestamptz,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, webhook_id) REFERENCES webhook (tenant_id, id) ON DELETE CASCADE
    )
  `
  yield* sql`CREATE INDEX webhook_secret_of ON webhook_secret (tenant_id, webhook_id)`
  yield* protect("webhook_secret", ["SELECT", "INSERT", "UPDATE", "DELETE"])
})

const createLanes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE webhook_stream (
      tenant_id     text COLLATE "C" NOT NULL,
      webhook_id    text COLLATE "C" NOT NULL,
      is_enabled    boolean     NOT NULL,
      position      bigint      NOT NULL,
      from_position bigint      NOT NULL,
      concurrency   integer     NOT NULL,
      allowed       integer     NOT NULL,
      successes     integer     NOT NULL DEFAULT 0,
      per_second    integer     NOT NULL,
      paced_until   timestamptz NOT NULL,
      served_at     timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, webhook_id),
      FOREIGN KEY (tenant_id, webhook_id) REFERENCES webhook (tenant_id, id) ON DELETE CASCADE
    ) WITH (fillfactor = 50)
  `
  yield* protectDirectory("webhook_stream", ["SELECT", "INSERT", "UPDATE", "DELETE"])
  yield* sql`
    CREATE TABLE webhook_lane (
      tenant_id     text COLLATE "C" NOT NULL,
      webhook_id    text COLLATE "C" NOT NULL,
      replay_id     text COLLATE "C" NOT NULL,
      subject       text COLLATE "C" NOT NULL,
      done_seq      integer NOT NULL,
      last_seq      integer NOT NULL,
      previous      integer NOT NULL,
      ahead         integer[] NOT NULL DEFAULT '{}',
      attempts      integer NOT NULL DEFAULT 0,
      due_at        timestamptz,
      claimed_until timestamptz,
      claim         text,
      PRIMARY KEY (tenant_id, webhook_id, replay_id, subject),
      FOREIGN KEY (tenant_id, webhook_id) REFERENCES webhook (tenant_id, id) ON DELETE CASCADE
    ) WITH (fillfactor = 50)
  `
  yield* sql`
    CREATE INDEX webhook_lane_due ON webhook_lane (tenant_id, webhook_id, due_at)
    WHERE due_at IS NOT NULL
  `
  yield* sql`
    CREATE INDEX webhook_lane_claimed ON webhook_lane (tenant_id, webhook_id, claimed_until)
    WHERE claimed_until IS NOT NULL
  `
  yield* protectDirectory("webhook_lane", ["SELECT", "INSERT", "UPDATE", "DELETE"])
})

const createRecords = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE webhook_attempt (
      tenant_id  text COLLATE "C" NOT NULL,
      webhook_id text COLLATE "C" NOT NULL,
      number     bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
      event_id   text COLLATE "C" NOT NULL,
      subject    text COLLATE "C" NOT NULL,
      seq        integer NOT NULL,
      replay_id  text COLLATE "C" NOT NULL,
      try        integer NOT NULL,
      tried_at   timestamptz NOT NULL,
      duration   integer NOT NULL,
      outcome    text NOT NULL,
      status     integer,
      address    text,
      excerpt    text,
      PRIMARY KEY (tenant_id, webhook_id, number),
      FOREIGN KEY (tenant_id, webhook_id) REFERENCES webhook (tenant_id, id) ON DELETE CASCADE
    )
  `
  yield* sql`CREATE INDEX webhook_attempt_old ON webhook_attempt (tenant_id, tried_at)`
  yield* sql`
    CREATE INDEX webhook_attempt_of ON webhook_attempt (tenant_id, webhook_id, subject, number)
  `
  yield* protect("webhook_attempt", ["SELECT", "INSERT", "DELETE"])
  yield* sql`
    CREATE TABLE webhook_dead (
      tenant_id  text COLLATE "C" NOT NULL,
      webhook_id text COLLATE "C" NOT NULL,
      event_id   text COLLATE "C" NOT NULL,
      subject    text COLLATE "C" NOT NULL,
      seq        integer NOT NULL,
      previous   integer NOT NULL,
      died_at    timestamptz NOT NULL,
      outcome    text NOT NULL,
      status     integer,
      PRIMARY KEY (tenant_id, webhook_id, subject, seq),
      FOREIGN KEY (tenant_id, webhook_id) REFERENCES webhook (tenant_id, id) ON DELETE CASCADE
    )
  `
  yield* protect("webhook_dead", ["SELECT", "INSERT", "DELETE"])
})

/**
 * Webhooks: the endpoints of a tenant with their secrets; how far each has come in the feed
 * (`webhook_stream`); the records whose events it is told (`webhook_lane`), of which `done_seq` is the last
 * that was looked at, `last_seq` the last that is for it and `previous` the last of its stream; what was
 * tried, and what was left. `replay_id` is empty where it is no replay. What comes next is read from the log.
 */
export default Effect.gen(function* () {
  yield* createEndpoints
  yield* createLanes
  yield* createRecords
})
