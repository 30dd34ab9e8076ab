import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Lets a grant name a role of the tenant's own, and only one that is there. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE permission_grant DROP CONSTRAINT permission_grant_role_check`
  // NULL for the built-in roles, which can be granted; VISITOR is granted to nobody, and no row of
  // `role` may have its name, so the foreign key refuses it.
  yield* sql`
    ALTER TABLE permission_grant
      ADD custom_role text COLLATE "C" GENERATED ALWAYS AS (CASE WHEN role IN
        ('TENANT_MANAGER', 'FIRM_MANAGER', 'BROKER', 'AUDITOR', 'POLICYHOLDER')
        THEN NULL ELSE role END) STORED,
      ADD CONSTRAINT permission_grant_custom_role_fkey
        FOREIGN KEY (tenant_id, custom_role) REFERENCES role
  `
  yield* sql`
    CREATE INDEX permission_grant_custom_role ON permission_grant (tenant_id, custom_role)
    WHERE custom_role IS NOT NULL
  `
})
