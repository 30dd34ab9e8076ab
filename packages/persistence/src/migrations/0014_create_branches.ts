import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/**
 * A rebase moves `forked_seq`; what the branch showed before it goes by where it forked first. `aside`
 * says why the worker could not bring an offer up to the base branch, and since when.
 */
const createBranches = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE branch (
      tenant_id    text COLLATE "C" NOT NULL,
      policy_id    text COLLATE "C" NOT NULL,
      id           text COLLATE "C" NOT NULL,
      branch_type  text             NOT NULL,
      name         text             NOT NULL,
      status       text             NOT NULL,
      stage        text             NOT NULL,
      effective_at timestamptz,
      forked_at    timestamptz      NOT NULL,
      forked_seq   integer          NOT NULL,
      seq          integer          NOT NULL,
      author       text COLLATE "C" NOT NULL,
      created_at   timestamptz      NOT NULL,
      merged_at    timestamptz,
      invalidated_at timestamptz,
      invalidation_reason text,
      first_forked_at  timestamptz NOT NULL,
      first_forked_seq integer     NOT NULL,
      aside        jsonb,
      PRIMARY KEY (tenant_id, policy_id, id),
      UNIQUE (tenant_id, id),
      FOREIGN KEY (tenant_id, policy_id) REFERENCES policy,
      CHECK ((status = 'INVALIDATED') = (invalidation_reason IS NOT NULL)),
      CHECK ((invalidated_at IS NULL) = (invalidation_reason IS NULL))
    )
  `
  yield* sql`
    CREATE INDEX branch_aside ON branch (tenant_id, policy_id) WHERE aside IS NOT NULL
  `
  yield* protect("branch", ["SELECT", "INSERT", "UPDATE"])
})

/** A change may undo another one. */
const createChanges = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE policy_change (
      tenant_id    text COLLATE "C" NOT NULL,
      policy_id    text COLLATE "C" NOT NULL,
      seq          integer          NOT NULL,
      id           text COLLATE "C" NOT NULL,
      branch_id    text COLLATE "C" NOT NULL,
      kind         text             NOT NULL,
      effective_at timestamptz      NOT NULL,
      recorded_at  timestamptz      NOT NULL,
      author       text COLLATE "C" NOT NULL,
      patch        jsonb            NOT NULL,
      reverts      text COLLATE "C",
      PRIMARY KEY (tenant_id, policy_id, seq),
      UNIQUE (tenant_id, id),
      FOREIGN KEY (tenant_id, policy_id, branch_id) REFERENCES branch,
      FOREIGN KEY (tenant_id, reverts) REFERENCES policy_change (tenant_id, id)
    )
  `
  yield* protect("policy_change", ["SELECT", "INSERT"])
})

const createValidity = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE validity (
      tenant_id   text COLLATE "C" NOT NULL,
      policy_id   text COLLATE "C" NOT NULL,
      branch_id   text COLLATE "C" NOT NULL,
      entity_id   text COLLATE "C" NOT NULL,
      entity_kind text             NOT NULL,
      valid_from  timestamptz      NOT NULL,
      valid_to    timestamptz      NOT NULL,
      state       jsonb            NOT NULL,
      PRIMARY KEY (tenant_id, policy_id, branch_id, entity_id, valid_from),
      FOREIGN KEY (tenant_id, policy_id, branch_id) REFERENCES branch,
      CHECK (valid_from < valid_to)
    )
  `
  yield* sql`CREATE INDEX validity_entity ON validity (tenant_id, entity_id)`
  yield* protect("validity", ["SELECT", "INSERT", "UPDATE", "DELETE"])
})

/** Branches, their immutable changes, and the states that the changes make over effective time. */
export default Effect.gen(function* () {
  yield* createBranches
  yield* createChanges
  yield* createValidity
})
