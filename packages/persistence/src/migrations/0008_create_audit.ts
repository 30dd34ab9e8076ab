import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect, protectDirectory } from "../sql/TenantTable.ts"

const createAudit = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
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
      position    bigint           CHECK (position > 0),
      hash        bytea            CHECK (octet_length(hash) = 32),
      sealed_at   timestamptz,
      PRIMARY KEY (tenant_id, recorded_at, id),
      CONSTRAINT audit_sealed_check CHECK (num_nulls(position, hash, sealed_at) IN (0, 3)),
      CONSTRAINT audit_outcome_check CHECK (outcome IN ('DONE', 'REFUSED')),
      CONSTRAINT audit_actor_kind_check CHECK (actor_kind IN ('CLIENT', 'USER', 'ANONYMOUS', 'JOB'))
    )
  `
  yield* sql`
    CREATE UNIQUE INDEX audit_position ON audit (tenant_id, position) WHERE position IS NOT NULL
  `
  yield* sql`
    CREATE INDEX audit_unsealed ON audit (tenant_id, recorded_at, id) WHERE position IS NULL
  `
  // The worker's one action is most of the rows, and no query looks for it by actor or action.
  yield* sql`
    CREATE INDEX audit_actor ON audit (tenant_id, actor_id, recorded_at, id)
    WHERE action <> 'policy.advance'
  `
  yield* sql`CREATE INDEX audit_record ON audit (tenant_id, record_id, recorded_at, id)`
  yield* sql`
    CREATE INDEX audit_action ON audit (tenant_id, action, recorded_at, id)
    WHERE action <> 'policy.advance'
  `
  yield* sql`
    CREATE INDEX audit_refused ON audit (tenant_id, recorded_at, id) WHERE outcome = 'REFUSED'
  `
  yield* protect("audit", ["SELECT", "INSERT", "UPDATE (position, hash, sealed_at)"])
})

/**
 * What rights can't say: a row is sealed once and else stays as it is, for the owner of the table too.
 */
const keepRows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE FUNCTION keep_audit() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'UPDATE' AND OLD.position IS NULL AND NEW.position IS NOT NULL
        AND (NEW.tenant_id, NEW.recorded_at, NEW.id, NEW.business_at, NEW.actor_kind, NEW.actor_id,
          NEW.action, NEW.record_id, NEW.request_id, NEW.outcome, NEW.detail)
        = (OLD.tenant_id, OLD.recorded_at, OLD.id, OLD.business_at, OLD.actor_kind, OLD.actor_id,
          OLD.action, OLD.record_id, OLD.request_id, OLD.outcome, OLD.detail) THEN
        RETURN NEW;
      END IF;
      RAISE EXCEPTION 'the audit trail is only added to' USING ERRCODE = 'restrict_violation';
    END $$
  `
  yield* sql`
    CREATE TRIGGER keep_audit BEFORE UPDATE OR DELETE ON audit
    FOR EACH ROW EXECUTE FUNCTION keep_audit()
  `
  yield* sql`
    CREATE TRIGGER keep_audit_whole BEFORE TRUNCATE ON audit
    FOR EACH STATEMENT EXECUTE FUNCTION keep_audit()
  `
})

const createSeals = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE audit_pending (
      tenant_id text COLLATE "C" NOT NULL,
      id        text COLLATE "C" NOT NULL,
      PRIMARY KEY (tenant_id, id)
    )
  `
  yield* protectDirectory("audit_pending", ["SELECT", "INSERT", "DELETE"])
  yield* sql`
    CREATE TABLE audit_head (
      tenant_id text COLLATE "C" NOT NULL REFERENCES tenant,
      position  bigint           NOT NULL CHECK (position > 0),
      hash      bytea            NOT NULL CHECK (octet_length(hash) = 32),
      sealed_at timestamptz      NOT NULL,
      PRIMARY KEY (tenant_id)
    )
  `
  yield* protect("audit_head", ["SELECT", "INSERT", "UPDATE"])
})

/**
 * The audit trail. It is chained: a row gets its position and its hash once, a moment after it was written.
 * `audit_pending` says where rows wait for that: each writer adds a row of its own to it, so no writer waits
 * for another, and no scan for tenants is needed. `audit_head` is the end of the chain.
 */
export default Effect.gen(function* () {
  yield* createAudit
  yield* keepRows
  yield* createSeals
})
