import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/** What every command leaves behind: its event, its audit record, and its answer for a repetition. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE event (
      tenant_id   text COLLATE "C" NOT NULL,
      policy_id   text COLLATE "C" NOT NULL,
      seq         integer          NOT NULL,
      id          text COLLATE "C" NOT NULL,
      kind        text             NOT NULL,
      occurred_at timestamptz      NOT NULL,
      recorded_at timestamptz      NOT NULL,
      payload     jsonb            NOT NULL,
      PRIMARY KEY (tenant_id, policy_id, seq),
      FOREIGN KEY (tenant_id, policy_id) REFERENCES policy
    )
  `
  yield* protect("event", ["SELECT", "INSERT"])
  yield* sql`
    CREATE TABLE audit (
      tenant_id   text COLLATE "C" NOT NULL REFERENCES tenant,
      recorded_at timestamptz      NOT NULL DEFAULT clock_timestamp(),
      id          text COLLATE "C" NOT NULL,
      business_at timestamptz      NOT NULL,
      actor_kind  text             NOT NULL,
      actor_id    text COLLATE "C" NOT NULL,
      action      text             NOT NULL,
      record_id   text COLLATE "C" NOT NULL,
      request_id  text COLLATE "C" NOT NULL,
      outcome     text             NOT NULL,
      detail      jsonb            NOT NULL,
      PRIMARY KEY (tenant_id, recorded_at, id)
    )
  `
  yield* protect("audit", ["SELECT", "INSERT"])
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
