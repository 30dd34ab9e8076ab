import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/**
 * Postings, one row each: amounts by account, debits positive and credits negative. The database
 * refuses one that does not sum to zero, and none may be changed or removed.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE FUNCTION is_balanced(amounts bigint[]) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
    DECLARE
      amount bigint;
      total  numeric := 0;
    BEGIN
      FOREACH amount IN ARRAY amounts LOOP
        total := total + amount;
      END LOOP;
      -- A missing amount makes the sum unknown, which is not balanced either.
      RETURN coalesce(total = 0, false);
    END $$
  `
  yield* sql`
    CREATE TABLE entry (
      tenant_id   text COLLATE "C"   NOT NULL,
      id          text COLLATE "C"   NOT NULL,
      policy_id   text COLLATE "C"   NOT NULL,
      customer_id text COLLATE "C"   NOT NULL,
      kind        text               NOT NULL,
      source_id   text COLLATE "C"   NOT NULL,
      occurred_at timestamptz        NOT NULL,
      recorded_at timestamptz        NOT NULL,
      currency    text               NOT NULL,
      accounts    text[] COLLATE "C" NOT NULL,
      amounts     bigint[]           NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, policy_id) REFERENCES policy,
      FOREIGN KEY (tenant_id, customer_id) REFERENCES customer,
      CHECK (array_position(accounts, NULL) IS NULL),
      CHECK (array_ndims(accounts) = 1 AND array_ndims(amounts) = 1),
      CHECK (cardinality(accounts) >= 2 AND cardinality(accounts) = cardinality(amounts)),
      CHECK (is_balanced(amounts))
    )
  `
  yield* sql`CREATE INDEX entry_policy ON entry (tenant_id, policy_id, recorded_at, id)`
  // The few entries that write off a claim, which ends its dunning.
  yield* sql`
    CREATE INDEX entry_write_off ON entry (tenant_id, policy_id)
    WHERE kind IN ('WRITE_OFF', 'WRITE_OFF_REVERSED')
  `
  yield* protect("entry", ["SELECT", "INSERT"])
})
