import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as TenantTable from "../sql/TenantTable.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE tenant (
      tenant_id   text COLLATE "C" NOT NULL,
      name        text             NOT NULL,
      environment text             NOT NULL CHECK (environment IN ('production', 'sandbox', 'development')),
      locale      text             NOT NULL,
      currency    text             NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
      time_zone   text             NOT NULL,
      test_clock  timestamptz,
      created_at  timestamptz      NOT NULL DEFAULT now(),
      PRIMARY KEY (tenant_id),
      CHECK (test_clock IS NULL OR environment <> 'production')
    )
  `
  yield* TenantTable.protectDirectory("tenant", ["SELECT", "INSERT", "UPDATE"])
})
