import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect, protectDirectory } from "../sql/TenantTable.ts"

/**
 * Withdrawals from contracts, and the letters that acknowledge them. A letter's row has an identifier alone, so
 * the sender may look for those of all tenants at once; it is removed once the letter has left, or is abandoned.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE withdrawal (
      tenant_id         text COLLATE "C" NOT NULL,
      id                text COLLATE "C" NOT NULL,
      policy_id         text COLLATE "C" NOT NULL,
      status            text             NOT NULL CHECK (status IN ('DRAFT', 'CONFIRMED')),
      name              text             NOT NULL,
      email             text             NOT NULL,
      policy_number     text,
      requested_at      timestamptz      NOT NULL,
      ends_at           timestamptz      NOT NULL,
      refund            bigint           NOT NULL CHECK (refund >= 0),
      currency          text             NOT NULL,
      confirmed_at      timestamptz,
      refund_due_on     date,
      refund_overdue_at timestamptz,
      acknowledged_at   timestamptz,
      author            text COLLATE "C" NOT NULL,
      address           text,
      user_agent        text,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, policy_id) REFERENCES policy,
      CHECK ((status = 'CONFIRMED') = (confirmed_at IS NOT NULL)),
      CHECK ((status = 'CONFIRMED') = (refund_due_on IS NOT NULL))
    )
  `
  yield* sql`CREATE INDEX withdrawal_policy ON withdrawal (tenant_id, policy_id, requested_at)`
  yield* protect("withdrawal", ["SELECT", "INSERT", "UPDATE"])
  yield* sql`
    CREATE TABLE withdrawal_letter (
      tenant_id     text COLLATE "C" NOT NULL,
      withdrawal_id text COLLATE "C" NOT NULL,
      due_at        timestamptz      NOT NULL DEFAULT clock_timestamp(),
      attempts      integer          NOT NULL DEFAULT 0,
      PRIMARY KEY (tenant_id, withdrawal_id),
      FOREIGN KEY (tenant_id, withdrawal_id) REFERENCES withdrawal
    )
  `
  yield* sql`CREATE INDEX withdrawal_letter_due ON withdrawal_letter (tenant_id, due_at)`
  yield* protectDirectory("withdrawal_letter", ["SELECT", "INSERT", "UPDATE", "DELETE"])
})
