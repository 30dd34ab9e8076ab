import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/**
 * The head of a policy: what has no versions, the counters of its logs, and the instant at which the
 * worker has to look at it next. Every writer locks this row first.
 */
export default Effect.gen(function* () {
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
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, incremental_id),
      UNIQUE (tenant_id, external_id),
      FOREIGN KEY (tenant_id, product_id, product_version) REFERENCES product_version,
      FOREIGN KEY (tenant_id, brokerage_firm_id) REFERENCES brokerage_firm,
      FOREIGN KEY (tenant_id, parent_id) REFERENCES policy
    )
  `
  yield* sql`
    CREATE INDEX policy_due ON policy (tenant_id, next_due_at) WHERE next_due_at IS NOT NULL
  `
  yield* sql`CREATE INDEX policy_firm ON policy (tenant_id, brokerage_firm_id, created_at, id)`
  yield* sql`CREATE INDEX policy_parent ON policy (tenant_id, parent_id)`
  yield* protect("policy", ["SELECT", "INSERT", "UPDATE"])
})
