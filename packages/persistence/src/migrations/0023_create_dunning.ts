import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/** Formal notices: to be sent, or sent with the evidence of their dispatch. */
const createNotices = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE notice (
      tenant_id   text COLLATE "C"   NOT NULL,
      id          text COLLATE "C"   NOT NULL,
      policy_id   text COLLATE "C"   NOT NULL,
      customer_id text COLLATE "C"   NOT NULL,
      invoice_ids text[] COLLATE "C" NOT NULL,
      status      text               NOT NULL CHECK (status IN ('TO_SEND', 'SENT')),
      channel     text               NOT NULL,
      created_at  timestamptz        NOT NULL,
      sent_at     timestamptz,
      evidence    jsonb,
      announces_termination boolean  NOT NULL DEFAULT false,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, policy_id) REFERENCES policy,
      FOREIGN KEY (tenant_id, customer_id) REFERENCES customer,
      -- Only an evidenced dispatch starts the clock.
      CHECK ((status = 'SENT') = (sent_at IS NOT NULL AND evidence IS NOT NULL))
    )
  `
  yield* sql`CREATE INDEX notice_policy ON notice (tenant_id, policy_id, customer_id)`
  // However often a step is taken, a payer has one notice that waits to be sent.
  yield* sql`
    CREATE UNIQUE INDEX notice_to_send ON notice (tenant_id, policy_id, customer_id)
    WHERE status = 'TO_SEND'
  `
  yield* protect("notice", ["SELECT", "INSERT", "UPDATE", "DELETE"])
})

/**
 * Times without dunning, on one policy or, as a moratorium, on all of the tenant or of some products.
 */
const createHolds = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
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

/** Formal notices, and times without dunning. */
export default Effect.gen(function* () {
  yield* createNotices
  yield* createHolds
})
