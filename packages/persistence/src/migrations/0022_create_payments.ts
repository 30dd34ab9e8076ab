import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/** Money received, the invoices it settled, and what became credit balance. */
const createPayments = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE payment (
      tenant_id      text COLLATE "C" NOT NULL,
      id             text COLLATE "C" NOT NULL,
      policy_id      text COLLATE "C" NOT NULL,
      customer_id    text COLLATE "C" NOT NULL,
      invoice_id     text COLLATE "C" NOT NULL,
      amount         bigint           NOT NULL CHECK (amount > 0),
      currency       text             NOT NULL,
      method         text             NOT NULL,
      reference      text             NOT NULL,
      paid_at        timestamptz      NOT NULL,
      recorded_at    timestamptz      NOT NULL,
      allocations    jsonb            NOT NULL,
      credit_balance bigint           NOT NULL CHECK (credit_balance BETWEEN 0 AND amount),
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, policy_id) REFERENCES policy,
      FOREIGN KEY (tenant_id, customer_id) REFERENCES customer,
      FOREIGN KEY (tenant_id, invoice_id) REFERENCES invoice
    )
  `
  yield* sql`CREATE INDEX payment_policy ON payment (tenant_id, policy_id, recorded_at, id)`
  yield* protect("payment", ["SELECT", "INSERT"])
})

/** Payments that the bank returned: each at most once, and for good. */
const createReturns = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE payment_return (
      tenant_id   text COLLATE "C" NOT NULL,
      payment_id  text COLLATE "C" NOT NULL,
      reason_code text             NOT NULL,
      fee         bigint           CHECK (fee > 0),
      returned_at timestamptz      NOT NULL,
      recorded_at timestamptz      NOT NULL,
      PRIMARY KEY (tenant_id, payment_id),
      FOREIGN KEY (tenant_id, payment_id) REFERENCES payment
    )
  `
  yield* protect("payment_return", ["SELECT", "INSERT"])
})

/** Credit balances that were paid back. */
const createRefunds = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE refund (
      tenant_id   text COLLATE "C" NOT NULL,
      id          text COLLATE "C" NOT NULL,
      policy_id   text COLLATE "C" NOT NULL,
      customer_id text COLLATE "C" NOT NULL,
      amount      bigint           NOT NULL CHECK (amount > 0),
      currency    text             NOT NULL,
      method      text             NOT NULL,
      reference   text             NOT NULL,
      recorded_at timestamptz      NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, policy_id) REFERENCES policy,
      FOREIGN KEY (tenant_id, customer_id) REFERENCES customer
    )
  `
  yield* sql`CREATE INDEX refund_policy ON refund (tenant_id, policy_id, recorded_at, id)`
  yield* protect("refund", ["SELECT", "INSERT"])
})

/** Payments received, returned by the bank, and refunds. */
export default Effect.gen(function* () {
  yield* createPayments
  yield* createReturns
  yield* createRefunds
})
