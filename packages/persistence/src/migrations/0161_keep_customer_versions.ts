import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { backfill } from "../sql/Backfill.ts"
import { protect } from "../sql/TenantTable.ts"

/**
 * What a customer was in itself at any time of recording: on a policy the log says it. The database keeps
 * each version with the row that is there now. Of a customer who was there before nothing else is known
 * than what he is.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE customer_version (
      tenant_id                   text COLLATE "C" NOT NULL,
      customer_id                 text COLLATE "C" NOT NULL,
      recorded_at                 timestamptz      NOT NULL,
      type                        text             NOT NULL,
      name                        text,
      email                       text,
      status                      text             NOT NULL,
      payment_mode                text             NOT NULL,
      preferred_payment_method_id text COLLATE "C",
      PRIMARY KEY (tenant_id, customer_id, recorded_at),
      FOREIGN KEY (tenant_id, customer_id) REFERENCES customer
    )
  `
  yield* protect("customer_version", ["SELECT", "INSERT", "UPDATE"])
  yield* backfill(
    "customer",
    ({ after, tenantId, upTo }) => sql`
      INSERT INTO customer_version (tenant_id, customer_id, recorded_at, type, name, email, status,
        payment_mode, preferred_payment_method_id)
      SELECT tenant_id, id, created_at, type, name, email, status, payment_mode,
        preferred_payment_method_id
      FROM customer WHERE tenant_id = ${tenantId} AND id > ${after} AND id <= ${upTo}
    `
  )
  // What is recorded at one instant is one version: a sandbox's clock may stand still.
  yield* sql`
    CREATE FUNCTION keep_customer_version() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO customer_version AS v (tenant_id, customer_id, recorded_at, type, name, email,
        status, payment_mode, preferred_payment_method_id)
      VALUES (NEW.tenant_id, NEW.id, NEW.last_modified_at, NEW.type, NEW.name, NEW.email,
        NEW.status, NEW.payment_mode, NEW.preferred_payment_method_id)
      ON CONFLICT (tenant_id, customer_id, recorded_at) DO UPDATE SET type = excluded.type,
        name = excluded.name, email = excluded.email, status = excluded.status,
        payment_mode = excluded.payment_mode,
        preferred_payment_method_id = excluded.preferred_payment_method_id;
      RETURN NULL;
    END $$
  `
  yield* sql`
    CREATE TRIGGER keep_customer_version AFTER INSERT OR UPDATE ON customer
    FOR EACH ROW EXECUTE FUNCTION keep_customer_version()
  `
})
