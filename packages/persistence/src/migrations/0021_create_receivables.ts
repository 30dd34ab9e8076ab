import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/**
 * What the accounting summary reads: one row for each payer of a policy with an unpaid invoice, with all
 * that is filtered and ordered by. It is derived from invoices, policies, customers and notices and kept in
 * the transactions that change them. It has no foreign keys: one statement makes a row from the policy and
 * the customer that it names, and neither ever goes.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE receivable (
      tenant_id                   text COLLATE "C" NOT NULL,
      policy_id                   text COLLATE "C" NOT NULL,
      customer_id                 text COLLATE "C" NOT NULL,
      product_id                  text COLLATE "C" NOT NULL,
      time_zone                   text             NOT NULL,
      brokerage_firm_id           text COLLATE "C",
      status                      text COLLATE "C" NOT NULL,
      stop_reason                 text COLLATE "C",
      customer_name               text COLLATE "C",
      policy_created_at           timestamptz      NOT NULL,
      search                      text COLLATE "C" NOT NULL,
      unpaid_count                integer          NOT NULL CHECK (unpaid_count > 0),
      oldest_issued_at            timestamptz      NOT NULL,
      unpaid_issued_at            timestamptz[]    NOT NULL,
      last_formal_notice_sent_at  timestamptz,
      PRIMARY KEY (tenant_id, policy_id, customer_id),
      CHECK (cardinality(unpaid_issued_at) = unpaid_count)
    )
  `
  yield* sql`
    CREATE INDEX receivable_oldest
    ON receivable (tenant_id, oldest_issued_at, policy_id, customer_id)
  `
  yield* sql`CREATE INDEX receivable_firm ON receivable (tenant_id, brokerage_firm_id)`
  yield* sql`CREATE INDEX receivable_customer ON receivable (tenant_id, customer_id)`
  yield* protect("receivable", ["SELECT", "INSERT", "UPDATE", "DELETE"])
})
