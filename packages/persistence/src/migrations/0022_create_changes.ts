import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/** Branches, their immutable changes, and the states that the changes make over effective time. */
export default Effect.gen(function* () {
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
      PRIMARY KEY (tenant_id, policy_id, id),
      UNIQUE (tenant_id, id),
      FOREIGN KEY (tenant_id, policy_id) REFERENCES policy
    )
  `
  yield* protect("branch", ["SELECT", "INSERT", "UPDATE"])
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
      PRIMARY KEY (tenant_id, policy_id, seq),
      UNIQUE (tenant_id, id),
      FOREIGN KEY (tenant_id, policy_id, branch_id) REFERENCES branch
    )
  `
  yield* protect("policy_change", ["SELECT", "INSERT"])
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
