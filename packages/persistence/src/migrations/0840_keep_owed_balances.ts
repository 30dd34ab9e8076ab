import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { backfill } from "../sql/Backfill.ts"
import { protect } from "../sql/TenantTable.ts"

/**
 * What each customer of a policy is owed, in minor units: the ledger's `balance:<customer>` with the other
 * sign. The statement that writes an entry moves it, so that worklists need not sum the ledger.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE owed_balance (
      tenant_id   text COLLATE "C" NOT NULL,
      policy_id   text COLLATE "C" NOT NULL,
      customer_id text COLLATE "C" NOT NULL,
      currency    text             NOT NULL,
      amount      bigint           NOT NULL,
      since       timestamptz      NOT NULL,
      PRIMARY KEY (tenant_id, policy_id, customer_id),
      FOREIGN KEY (tenant_id, policy_id) REFERENCES policy,
      FOREIGN KEY (tenant_id, customer_id) REFERENCES customer
    )
  `
  yield* sql`
    CREATE INDEX owed_balance_waiting ON owed_balance (tenant_id, since, policy_id, customer_id)
    WHERE amount > 0
  `
  yield* protect("owed_balance", ["SELECT", "INSERT", "UPDATE"])
  yield* sql`
    CREATE FUNCTION keep_owed_balance() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO owed_balance AS o (tenant_id, policy_id, customer_id, currency, amount, since)
      SELECT w.tenant_id, w.policy_id, substr(p.account, 9), min(w.currency), -sum(p.amount)::bigint,
        max(w.recorded_at)
      FROM written w CROSS JOIN LATERAL unnest(w.accounts, w.amounts) AS p(account, amount)
      WHERE starts_with(p.account, 'balance:')
      GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
      ON CONFLICT (tenant_id, policy_id, customer_id) DO UPDATE SET
        amount = o.amount + excluded.amount,
        -- A balance that grows has been owed since it began.
        since = CASE WHEN o.amount > 0 THEN o.since ELSE excluded.since END;
      RETURN NULL;
    END $$
  `
  // From here on nothing writes an entry until this commits.
  yield* sql`
    CREATE TRIGGER keep_owed_balance AFTER INSERT ON entry REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION keep_owed_balance()
  `
  yield* backfill(
    "entry",
    ({ after, tenantId, upTo }) => sql`
      INSERT INTO owed_balance AS o (tenant_id, policy_id, customer_id, currency, amount, since)
      SELECT e.tenant_id, e.policy_id, substr(p.account, 9), min(e.currency), -sum(p.amount)::bigint,
        max(e.recorded_at)
      FROM entry e CROSS JOIN LATERAL unnest(e.accounts, e.amounts) AS p(account, amount)
      WHERE e.tenant_id = ${tenantId} AND e.id > ${after} AND e.id <= ${upTo}
        AND starts_with(p.account, 'balance:')
      GROUP BY 1, 2, 3
      ON CONFLICT (tenant_id, policy_id, customer_id) DO UPDATE SET
        amount = o.amount + excluded.amount, since = greatest(o.since, excluded.since)
    `
  )
})
