import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // The subject is a user or an anonymous session; their identifiers differ by prefix.
  yield* sql`
    CREATE TABLE permission_grant (
      tenant_id         text COLLATE "C" NOT NULL REFERENCES tenant,
      subject_id        text COLLATE "C" NOT NULL,
      role              text COLLATE "C" NOT NULL CHECK (role IN
        ('TENANT_MANAGER', 'FIRM_MANAGER', 'BROKER', 'AUDITOR', 'POLICYHOLDER')),
      kind              text             NOT NULL CHECK (kind IN ('TENANT', 'FIRM', 'RECORD')),
      brokerage_firm_id text COLLATE "C" CHECK ((brokerage_firm_id IS NOT NULL) = (kind = 'FIRM')),
      record_id         text COLLATE "C" CHECK ((record_id IS NOT NULL) = (kind = 'RECORD')),
      target            text COLLATE "C" NOT NULL GENERATED ALWAYS AS
        (coalesce(brokerage_firm_id, record_id, '*')) STORED,
      created_at        timestamptz      NOT NULL DEFAULT now(),
      PRIMARY KEY (tenant_id, subject_id, role, target),
      FOREIGN KEY (tenant_id, brokerage_firm_id) REFERENCES brokerage_firm
    )
  `
  yield* sql`
    CREATE INDEX permission_grant_target ON permission_grant (tenant_id, target)
  `
  yield* protect("permission_grant", ["SELECT", "INSERT", "DELETE"])
})
