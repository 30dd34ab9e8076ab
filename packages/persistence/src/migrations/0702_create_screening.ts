import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/**
 * Lists of asset freezes as operators load them. Names are found by their words, a table of its own, since row
 * level security lets no index be searched by an array. Every version stays: answers name it.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE screening_list (
      tenant_id text COLLATE "C" NOT NULL REFERENCES tenant,
      version   text COLLATE "C" NOT NULL,
      entries   integer          NOT NULL,
      loaded_at timestamptz      NOT NULL,
      PRIMARY KEY (tenant_id, version)
    )
  `
  yield* protect("screening_list", ["SELECT", "INSERT"])
  yield* sql`
    CREATE TABLE screening_name (
      tenant_id   text COLLATE "C" NOT NULL,
      version     text COLLATE "C" NOT NULL,
      name_number integer          NOT NULL,
      entry_id    text COLLATE "C" NOT NULL,
      name        text             NOT NULL,
      PRIMARY KEY (tenant_id, version, name_number),
      FOREIGN KEY (tenant_id, version) REFERENCES screening_list
    )
  `
  yield* protect("screening_name", ["SELECT", "INSERT"])
  yield* sql`
    CREATE TABLE screening_word (
      tenant_id   text COLLATE "C" NOT NULL,
      version     text COLLATE "C" NOT NULL,
      word        text COLLATE "C" NOT NULL,
      name_number integer          NOT NULL,
      PRIMARY KEY (tenant_id, version, word, name_number),
      FOREIGN KEY (tenant_id, version, name_number) REFERENCES screening_name
    )
  `
  yield* protect("screening_word", ["SELECT", "INSERT"])
})
