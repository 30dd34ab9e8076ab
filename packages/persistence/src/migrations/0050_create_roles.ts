import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // The roles that every tenant has are data of the program, so no tenant may take one of their names.
  yield* sql`
    CREATE TABLE role (
      tenant_id        text COLLATE "C"   NOT NULL REFERENCES tenant,
      id               text COLLATE "C"   NOT NULL CHECK (id ~ '^[A-Z][A-Z0-9_]{1,39}$' AND id NOT IN
        ('TENANT_MANAGER', 'FIRM_MANAGER', 'BROKER', 'AUDITOR', 'POLICYHOLDER', 'VISITOR')),
      name             text               NOT NULL CHECK (name <> ''),
      actions          text[] COLLATE "C" NOT NULL,
      created_at       timestamptz        NOT NULL DEFAULT now(),
      last_modified_at timestamptz        NOT NULL DEFAULT now(),
      PRIMARY KEY (tenant_id, id)
    )
  `
  yield* protect("role", ["SELECT", "INSERT", "UPDATE", "DELETE"])
})
