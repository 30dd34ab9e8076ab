import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/**
 * Contents: bytes that documents are made of, each once for a tenant. `content` has the key of each, sealed
 * under a key of the service; the bytes themselves are in a store, encrypted. Deleting the row destroys the
 * key; `content_removal` then says which bytes are still to be taken out of their store.
 */
const createContents = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE content_key (
      tenant_id  text COLLATE "C" NOT NULL PRIMARY KEY REFERENCES tenant,
      sealed_key text             NOT NULL
    )
  `
  yield* protect("content_key", ["SELECT", "INSERT", "UPDATE"])
  yield* sql`
    CREATE TABLE content (
      tenant_id  text COLLATE "C" NOT NULL REFERENCES tenant,
      address    text COLLATE "C" NOT NULL CHECK (address ~ '^[0-9a-f]{64}$'),
      sha256     bytea            NOT NULL CHECK (length(sha256) = 32),
      size       bigint           NOT NULL CHECK (size >= 0),
      store      text             NOT NULL CHECK (store IN ('POSTGRES', 'FOLDER', 'S3')),
      name       text COLLATE "C" NOT NULL,
      sealed_key text             NOT NULL,
      created_at timestamptz      NOT NULL DEFAULT clock_timestamp(),
      touched_at timestamptz      NOT NULL DEFAULT clock_timestamp(),
      -- Where it is set, the bytes may be read.
      stored_at  timestamptz,
      PRIMARY KEY (tenant_id, address),
      UNIQUE (tenant_id, name)
    )
  `
  yield* sql`CREATE INDEX content_touched ON content (tenant_id, touched_at)`
  yield* protect("content", ["SELECT", "INSERT", "UPDATE", "DELETE"])
  yield* sql`
    CREATE TABLE content_removal (
      tenant_id  text COLLATE "C" NOT NULL REFERENCES tenant,
      name       text COLLATE "C" NOT NULL,
      store      text             NOT NULL CHECK (store IN ('POSTGRES', 'FOLDER', 'S3')),
      created_at timestamptz      NOT NULL DEFAULT clock_timestamp(),
      PRIMARY KEY (tenant_id, name)
    )
  `
  yield* protect("content_removal", ["SELECT", "INSERT", "DELETE"])
})

/**
 * The store in the database: parts of at most 1 MiB. Large objects have no row level security, and one
 * value of 25 MiB is several times as large in memory on its way.
 */
const createParts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE content_part (
      tenant_id  text COLLATE "C" NOT NULL REFERENCES tenant,
      name       text COLLATE "C" NOT NULL,
      number     integer          NOT NULL CHECK (number >= 0),
      bytes      bytea            NOT NULL CHECK (length(bytes) BETWEEN 1 AND 1048576),
      created_at timestamptz      NOT NULL DEFAULT clock_timestamp(),
      PRIMARY KEY (tenant_id, name, number)
    )
  `
  // Encrypted bytes don't get smaller.
  yield* sql`ALTER TABLE content_part ALTER bytes SET STORAGE EXTERNAL`
  yield* protect("content_part", ["SELECT", "INSERT", "UPDATE", "DELETE"])
})

export default Effect.gen(function* () {
  yield* createContents
  yield* createParts
})
