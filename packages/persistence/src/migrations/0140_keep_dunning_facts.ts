import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { allow, protect } from "../sql/TenantTable.ts"

/**
 * What dunning is derived from beside the invoices: what a notice says, who sends a tenant's notices,
 * and times without dunning, on one policy or, as a moratorium, on all of the tenant or of some products.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE notice ADD announces_termination boolean NOT NULL DEFAULT false`
  // However often a step is taken, a payer has one notice that waits to be sent.
  yield* sql`
    CREATE UNIQUE INDEX notice_to_send ON notice (tenant_id, policy_id, customer_id)
    WHERE status = 'TO_SEND'
  `
  yield* allow("notice", ["DELETE"])
  yield* sql`
    ALTER TABLE tenant ADD notice_dispatch text NOT NULL DEFAULT 'BY_HAND'
      CHECK (notice_dispatch IN ('BY_HAND', 'SIMULATED_POST')),
      ADD CHECK (notice_dispatch <> 'SIMULATED_POST' OR environment <> 'production')
  `
  yield* sql`
    CREATE TABLE hold (
      tenant_id   text COLLATE "C"   NOT NULL,
      id          text COLLATE "C"   NOT NULL,
      policy_id   text COLLATE "C",
      product_ids text[] COLLATE "C",
      from_at     timestamptz        NOT NULL,
      to_at       timestamptz,
      reason      text               NOT NULL,
      created_at  timestamptz        NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, policy_id) REFERENCES policy,
      CHECK (to_at > from_at),
      -- A moratorium names no policy, and has an end.
      CHECK (policy_id IS NULL OR product_ids IS NULL),
      CHECK (policy_id IS NOT NULL OR to_at IS NOT NULL)
    )
  `
  yield* sql`CREATE INDEX hold_policy ON hold (tenant_id, policy_id)`
  yield* protect("hold", ["SELECT", "INSERT", "DELETE", "UPDATE (to_at)"])
})
