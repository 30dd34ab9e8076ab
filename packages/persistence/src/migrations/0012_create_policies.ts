import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

const createHeads = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE policy (
      tenant_id         text COLLATE "C" NOT NULL REFERENCES tenant,
      id                text COLLATE "C" NOT NULL,
      incremental_id    bigint           NOT NULL,
      product_id        text COLLATE "C" NOT NULL,
      product_version   text COLLATE "C" NOT NULL,
      type              text             NOT NULL,
      brokerage_firm_id text COLLATE "C",
      parent_id         text COLLATE "C",
      author            jsonb,
      default_branch_id text COLLATE "C" NOT NULL,
      change_seq        integer          NOT NULL,
      event_seq         integer          NOT NULL,
      status            text             NOT NULL,
      name              text,
      external_id       text COLLATE "C",
      stop_reason       text,
      next_due_at       timestamptz,
      created_at        timestamptz      NOT NULL,
      last_modified_at  timestamptz      NOT NULL,
      started_at        timestamptz      NOT NULL,
      search            text COLLATE "C" NOT NULL,
      revision          bigint           NOT NULL DEFAULT 1,
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, incremental_id),
      FOREIGN KEY (tenant_id, product_id, product_version) REFERENCES product_version,
      FOREIGN KEY (tenant_id, brokerage_firm_id) REFERENCES brokerage_firm,
      FOREIGN KEY (tenant_id, parent_id) REFERENCES policy
    )
  `
  // Very many policies are due at one midnight: the index has the order in which the worker takes them.
  yield* sql`
    CREATE INDEX policy_due ON policy (tenant_id, next_due_at, id) WHERE next_due_at IS NOT NULL
  `
  yield* sql`CREATE INDEX policy_firm ON policy (tenant_id, brokerage_firm_id, created_at, id)`
  yield* sql`CREATE INDEX policy_parent ON policy (tenant_id, parent_id)`
  yield* sql`CREATE INDEX policy_created ON policy (tenant_id, created_at, id)`
  yield* sql`CREATE INDEX policy_started ON policy (tenant_id, started_at, id)`
  yield* sql`CREATE INDEX policy_modified ON policy (tenant_id, last_modified_at, id)`
  yield* sql`CREATE INDEX policy_external_id ON policy (tenant_id, external_id)`
  yield* protect("policy", ["SELECT", "INSERT", "UPDATE"])
})

/**
 * What a policy is found by. It is no generated column: with a trigger before updates, that one would be
 * made again by each of them.
 */
const keepSearch = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE FUNCTION search_policy() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.search := search_text(NEW.id, coalesce(NEW.external_id, ''), NEW.incremental_id::text,
        coalesce(NEW.name, ''));
      RETURN NEW;
    END $$
  `
  yield* sql`
    CREATE TRIGGER search_policy
    BEFORE INSERT OR UPDATE OF id, external_id, incremental_id, name, search ON policy
    FOR EACH ROW EXECUTE FUNCTION search_policy()
  `
  yield* sql`ALTER TABLE policy ENABLE ALWAYS TRIGGER search_policy`
})

/**
 * Whose an external id is: of the policy that shows it now, has shown it or will. What the policy shows
 * now is in its column, which alone could not keep two policies from one id at another time.
 */
const createExternalIds = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE external_id (
      tenant_id   text COLLATE "C" NOT NULL,
      external_id text COLLATE "C" NOT NULL,
      policy_id   text COLLATE "C" NOT NULL,
      PRIMARY KEY (tenant_id, external_id),
      FOREIGN KEY (tenant_id, policy_id) REFERENCES policy
    )
  `
  yield* sql`CREATE INDEX external_id_policy ON external_id (tenant_id, policy_id)`
  yield* protect("external_id", ["SELECT", "INSERT", "DELETE"])
})

/** What happened to a policy. */
const createEvents = Effect.gen(function* () {
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
})

/**
 * Policies and what belongs to their heads. A head has what has no versions, the counters of its logs, and
 * the instant at which the worker has to look at it next. Every writer locks this row first.
 */
export default Effect.gen(function* () {
  yield* createHeads
  yield* keepSearch
  yield* createExternalIds
  yield* createEvents
})
