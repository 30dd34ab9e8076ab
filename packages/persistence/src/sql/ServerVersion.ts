/** Which releases of PostgreSQL the schema and the statements are written for. */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const oldest = 16

export class DatabaseTooOld extends Schema.TaggedError<DatabaseTooOld>()("DatabaseTooOld", {
  version: Schema.String
}) {
  override get message() {
    return `The database is PostgreSQL ${this.version}: name one of ${oldest} or newer in DATABASE_URL.`
  }
}

/** Fails on a server that is too old, before anything of ours is tried there. */
export const assertVersion = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [server] = yield* sql<{ readonly number: number; readonly version: string }>`
    SELECT current_setting('server_version_num')::int AS number,
      current_setting('server_version') AS version
  `
  if (server!.number < oldest * 10_000) {
    return yield* new DatabaseTooOld({ version: server!.version })
  }
}).pipe(Effect.withSpan("ServerVersion.assertVersion"))
