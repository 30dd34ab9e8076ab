import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/**
 * Account numbers are sealed under a key of the service. Beside each is its print, a keyed hash by which it
 * is found: `account_key` has the key of the tenant's prints, sealed as well.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE account_key (
      tenant_id  text COLLATE "C" NOT NULL PRIMARY KEY REFERENCES tenant,
      sealed_key text             NOT NULL
    )
  `
  yield* protect("account_key", ["SELECT", "INSERT", "UPDATE"])
  yield* sql`
    CREATE TABLE bank_account (
      tenant_id   text COLLATE "C" NOT NULL REFERENCES tenant,
      id          text COLLATE "C" NOT NULL,
      name        text COLLATE "C" NOT NULL,
      sealed_iban text             NOT NULL,
      iban_print  bytea            NOT NULL CHECK (length(iban_print) = 16),
      settings    jsonb            NOT NULL,
      created_at  timestamptz      NOT NULL,
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, name),
      UNIQUE (tenant_id, iban_print)
    )
  `
  yield* protect("bank_account", ["SELECT", "INSERT", "UPDATE"])
})
