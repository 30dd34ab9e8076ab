import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { allow, protectDirectory } from "../sql/TenantTable.ts"

/**
 * Replays of webhooks: which events are sent once more, and how far the feed was looked through for them.
 * Lanes know the first number of their stream (0 where they are of the release before), so that what is
 * sent once more has the bytes of its first time. An event that was left names the replay it is in.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE webhook_replay (
      tenant_id       text COLLATE "C" NOT NULL,
      webhook_id      text COLLATE "C" NOT NULL,
      id              text COLLATE "C" NOT NULL,
      source          text NOT NULL CHECK (source IN ('FEED', 'DEAD')),
      position        bigint NOT NULL,
      from_position   bigint NOT NULL,
      to_position     bigint NOT NULL,
      recorded_from   timestamptz,
      recorded_before timestamptz,
      types           text[],
      subject         text COLLATE "C",
      delivered       integer NOT NULL DEFAULT 0,
      dead            integer NOT NULL DEFAULT 0,
      created_at      timestamptz NOT NULL,
      finished_at     timestamptz,
      PRIMARY KEY (tenant_id, webhook_id, id),
      FOREIGN KEY (tenant_id, webhook_id) REFERENCES webhook (tenant_id, id) ON DELETE CASCADE
    )
  `
  yield* sql`
    CREATE INDEX webhook_replay_running ON webhook_replay (tenant_id, webhook_id)
    WHERE finished_at IS NULL
  `
  yield* protectDirectory("webhook_replay", ["SELECT", "INSERT", "UPDATE", "DELETE"])
  yield* sql`ALTER TABLE webhook_lane ADD COLUMN first_seq integer NOT NULL DEFAULT 0`
  yield* sql`ALTER TABLE webhook_dead ADD COLUMN replay_id text COLLATE "C"`
  yield* sql`
    CREATE INDEX webhook_dead_replayed ON webhook_dead (tenant_id, webhook_id, replay_id)
    WHERE replay_id IS NOT NULL
  `
  yield* allow("webhook_dead", ["UPDATE"])
})
