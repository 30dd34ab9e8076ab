import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

const createPayouts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // A refund is one transfer: a second payout of it is refused by its key.
  yield* sql`
    CREATE TABLE payout (
      tenant_id         text COLLATE "C" NOT NULL,
      id                text COLLATE "C" NOT NULL,
      kind              text             NOT NULL,
      policy_id         text COLLATE "C" NOT NULL,
      customer_id       text COLLATE "C" NOT NULL,
      refund_id         text COLLATE "C" NOT NULL,
      bank_account_id   text COLLATE "C" NOT NULL,
      payment_method_id text COLLATE "C" NOT NULL,
      payee_name        text             NOT NULL,
      amount            bigint           NOT NULL CHECK (amount > 0),
      currency          text             NOT NULL,
      status            text             NOT NULL,
      end_to_end_id     text COLLATE "C" NOT NULL,
      remittance        text             NOT NULL,
      requested_by      text COLLATE "C" NOT NULL,
      requested_at      timestamptz      NOT NULL,
      payee_check       jsonb            NOT NULL,
      screening         jsonb            NOT NULL,
      approval_id       text COLLATE "C",
      outcome           jsonb,
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, refund_id),
      UNIQUE (tenant_id, end_to_end_id),
      FOREIGN KEY (tenant_id, policy_id) REFERENCES policy,
      FOREIGN KEY (tenant_id, customer_id) REFERENCES customer,
      FOREIGN KEY (tenant_id, refund_id) REFERENCES refund,
      FOREIGN KEY (tenant_id, bank_account_id) REFERENCES bank_account,
      FOREIGN KEY (tenant_id, payment_method_id) REFERENCES payment_method
    )
  `
  yield* sql`CREATE INDEX payout_policy ON payout (tenant_id, policy_id, requested_at, id)`
  yield* protect("payout", ["SELECT", "INSERT", "UPDATE"])
  yield* sql`
    CREATE TABLE approval (
      tenant_id    text COLLATE "C"   NOT NULL,
      id           text COLLATE "C"   NOT NULL,
      kind         text               NOT NULL,
      record_id    text COLLATE "C"   NOT NULL,
      policy_id    text COLLATE "C"   NOT NULL,
      amount       bigint             NOT NULL CHECK (amount > 0),
      currency     text               NOT NULL,
      reasons      text[] COLLATE "C" NOT NULL,
      requested_by text COLLATE "C"   NOT NULL,
      requested_at timestamptz        NOT NULL,
      status       text               NOT NULL,
      decision     jsonb,
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, record_id),
      FOREIGN KEY (tenant_id, policy_id) REFERENCES policy
    )
  `
  yield* sql`CREATE INDEX approval_status ON approval (tenant_id, status, requested_at, id)`
  yield* protect("approval", ["SELECT", "INSERT", "UPDATE"])
})

const createChecks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE payee_check (
      tenant_id         text COLLATE "C" NOT NULL,
      payment_method_id text COLLATE "C" NOT NULL,
      result            text             NOT NULL,
      name_at_bank      text,
      checked_at        timestamptz      NOT NULL,
      PRIMARY KEY (tenant_id, payment_method_id),
      FOREIGN KEY (tenant_id, payment_method_id) REFERENCES payment_method
    )
  `
  yield* protect("payee_check", ["SELECT", "INSERT", "UPDATE"])
  yield* sql`
    CREATE TABLE refund_return (
      tenant_id   text COLLATE "C" NOT NULL,
      refund_id   text COLLATE "C" NOT NULL,
      returned_at timestamptz      NOT NULL,
      recorded_at timestamptz      NOT NULL,
      PRIMARY KEY (tenant_id, refund_id),
      FOREIGN KEY (tenant_id, refund_id) REFERENCES refund
    )
  `
  yield* protect("refund_return", ["SELECT", "INSERT"])
})

/** Money that leaves, who has agreed to it, what its payees' banks say, and what of it came back. */
export default Effect.gen(function* () {
  yield* createPayouts
  yield* createChecks
})
