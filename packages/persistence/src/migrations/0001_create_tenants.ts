import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protectDirectory } from "../sql/TenantTable.ts"

/** Tenants, with the defaults of the products that they sell. */
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
      notice_dispatch text         NOT NULL DEFAULT 'BY_HAND'
        CHECK (notice_dispatch IN ('BY_HAND', 'SIMULATED_POST')),
      second_factor_required boolean NOT NULL DEFAULT false,
      PRIMARY KEY (tenant_id),
      CHECK (test_clock IS NULL OR environment <> 'production'),
      CHECK (notice_dispatch <> 'SIMULATED_POST' OR environment <> 'production')
    )
  `
  yield* protectDirectory("tenant", ["SELECT", "INSERT", "UPDATE"])
})
