/** A real server that says it is another release than it is. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { assertVersion } from "../../src/sql/ServerVersion.ts"
import * as PgTest from "@quittance/testing/PgTest"

/** Runs the check on a session whose server says these of itself. */
const onServer = Effect.fnUntraced(function* (number: string, version: string) {
  const sql = yield* PgTest.SuperuserSql
  const check = Effect.gen(function* () {
    yield* sql.unsafe(`
      CREATE FUNCTION public.current_setting(name text) RETURNS text LANGUAGE sql AS $$
        SELECT CASE name WHEN 'server_version' THEN '${version}' ELSE '${number}' END
      $$
    `)
    // Ours is found before the server's own.
    yield* sql`SET LOCAL search_path = public, pg_catalog`
    const result = yield* Effect.result(assertVersion)
    yield* sql`DROP FUNCTION public.current_setting(text)`
    return result
  })
  return yield* sql.withTransaction(check).pipe(Effect.provideService(SqlClient.SqlClient, sql))
})

layer(PgTest.layer, { excludeTestServices: true })("the release of the server", (it) => {
  it.effect("is refused when it is older than 16, in words that say what to do", () =>
    Effect.gen(function* () {
      for (const [number, version] of [
        ["150018", "15.18 (Debian 15.18-1)"],
        ["90624", "9.6.24"]
      ] as const) {
        const result = yield* onServer(number, version)
        assert.strictEqual(result._tag, "Failure")
        if (result._tag === "Success") continue
        assert.strictEqual(
          result.failure.message,
          `The database is PostgreSQL ${version}: name one of 16 or newer in DATABASE_URL.`
        )
      }
    })
  )

  it.effect("is taken from 16.0 on", () =>
    Effect.gen(function* () {
      for (const number of ["160000", "180001"]) {
        assert.strictEqual((yield* onServer(number, "new"))._tag, "Success")
      }
    })
  )
})
