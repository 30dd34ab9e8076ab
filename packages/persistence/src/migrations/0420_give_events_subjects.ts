import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/** Existing events get their policy as subject; no other transaction sees them meanwhile. */
const fillSubjects = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tenants = yield* sql<{ readonly tenantId: string }>`
    SELECT tenant_id FROM tenant ORDER BY tenant_id
  `
  for (const { tenantId } of tenants) {
    yield* sql`SELECT set_config('app.tenant', ${tenantId}, true)`
    yield* sql`UPDATE event SET subject = policy_id WHERE tenant_id = ${tenantId}`
  }
  yield* sql`SELECT set_config('app.tenant', '', true)`
})

/** Programs of the release before know no subject but the policy, and do not name it. */
const nameSubjects = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE FUNCTION name_event_subject() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.subject := NEW.policy_id;
      RETURN NEW;
    END $$
  `
  yield* sql`
    CREATE TRIGGER name_event_subject BEFORE INSERT ON event
    FOR EACH ROW WHEN (NEW.subject IS NULL) EXECUTE FUNCTION name_event_subject()
  `
})

/**
 * The subject of an event: the record whose events are counted by `seq`, without gaps. It is the policy
 * of what hangs on one. Any other subject has its count in `subject_head`; a policy has its own in its head.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE event ADD subject text COLLATE "C"`
  yield* fillSubjects
  yield* nameSubjects
  yield* sql`
    ALTER TABLE event DROP CONSTRAINT event_pkey, ALTER subject SET NOT NULL,
      ADD PRIMARY KEY (tenant_id, subject, seq), ALTER policy_id DROP NOT NULL,
      ADD CONSTRAINT event_subject_check CHECK (policy_id IS NULL OR policy_id = subject)
  `
  yield* sql`
    CREATE TABLE subject_head (
      tenant_id text COLLATE "C" NOT NULL REFERENCES tenant,
      subject   text COLLATE "C" NOT NULL,
      seq       integer          NOT NULL CHECK (seq > 0),
      PRIMARY KEY (tenant_id, subject)
    )
  `
  yield* protect("subject_head", ["SELECT", "INSERT", "UPDATE"])
})
