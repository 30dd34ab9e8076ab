import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect, protectDirectory } from "../sql/TenantTable.ts"

/** Signatures whose documents wait to be sealed. The dispatcher sees of which tenants there are some. */
const createSealings = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE signature_sealing (
      tenant_id    text COLLATE "C" NOT NULL,
      signature_id text COLLATE "C" NOT NULL,
      policy_id    text COLLATE "C" NOT NULL,
      branch_id    text COLLATE "C" NOT NULL,
      signed_at    timestamptz      NOT NULL,
      tries        integer          NOT NULL DEFAULT 0,
      try_at       timestamptz      NOT NULL DEFAULT clock_timestamp(),
      PRIMARY KEY (tenant_id, signature_id),
      FOREIGN KEY (tenant_id, policy_id) REFERENCES policy
    )
  `
  yield* protectDirectory("signature_sealing", ["SELECT", "INSERT", "UPDATE", "DELETE"])
})

/** What was sealed of a signature, once. A sealed document begins with the bytes of its source. */
const createSeals = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE signature_seal (
      tenant_id    text COLLATE "C" NOT NULL,
      signature_id text COLLATE "C" NOT NULL,
      policy_id    text COLLATE "C" NOT NULL,
      level        text             NOT NULL CHECK (level IN ('B-B', 'B-T')),
      certificate  text COLLATE "C" NOT NULL,
      sealed_at    timestamptz      NOT NULL,
      documents    jsonb            NOT NULL,
      PRIMARY KEY (tenant_id, signature_id),
      FOREIGN KEY (tenant_id, policy_id) REFERENCES policy,
      FOREIGN KEY (tenant_id, certificate) REFERENCES seal_key
    )
  `
  yield* protect("signature_seal", ["SELECT", "INSERT"])
  yield* sql`ALTER TABLE document ADD source_document_id text COLLATE "C"`
})

export default Effect.gen(function* () {
  yield* createSealings
  yield* createSeals
})
