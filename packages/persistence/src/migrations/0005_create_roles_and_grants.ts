import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

const createRoles = Effect.gen(function* () {
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

const createGrants = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // `custom_role` is NULL for the built-in roles, which can be granted. VISITOR can't be granted: no
  // row of `role` may have its name, so the foreign key refuses it.
  // The subject is a user or an anonymous session; their identifiers differ by prefix.
  yield* sql`
    CREATE TABLE permission_grant (
      tenant_id         text COLLATE "C" NOT NULL REFERENCES tenant,
      subject_id        text COLLATE "C" NOT NULL,
      role              text COLLATE "C" NOT NULL,
      kind              text             NOT NULL CHECK (kind IN ('TENANT', 'FIRM', 'RECORD')),
      brokerage_firm_id text COLLATE "C" CHECK ((brokerage_firm_id IS NOT NULL) = (kind = 'FIRM')),
      record_id         text COLLATE "C" CHECK ((record_id IS NOT NULL) = (kind = 'RECORD')),
      target            text COLLATE "C" NOT NULL GENERATED ALWAYS AS
        (coalesce(brokerage_firm_id, record_id, '*')) STORED,
      created_at        timestamptz      NOT NULL DEFAULT now(),
      custom_role       text COLLATE "C" GENERATED ALWAYS AS (CASE WHEN role IN
        ('TENANT_MANAGER', 'FIRM_MANAGER', 'BROKER', 'AUDITOR', 'POLICYHOLDER')
        THEN NULL ELSE role END) STORED,
      PRIMARY KEY (tenant_id, subject_id, role, target),
      FOREIGN KEY (tenant_id, brokerage_firm_id) REFERENCES brokerage_firm,
      CONSTRAINT permission_grant_custom_role_fkey FOREIGN KEY (tenant_id, custom_role) REFERENCES role
    )
  `
  yield* sql`
    CREATE INDEX permission_grant_target ON permission_grant (tenant_id, target)
  `
  yield* sql`
    CREATE INDEX permission_grant_custom_role ON permission_grant (tenant_id, custom_role)
    WHERE custom_role IS NOT NULL
  `
  yield* protect("permission_grant", ["SELECT", "INSERT", "DELETE"])
})

/** Roles of a tenant's own, and who has which role on what. */
export default Effect.gen(function* () {
  yield* createRoles
  yield* createGrants
})
