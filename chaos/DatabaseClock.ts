/**
 * The clock of the database, which may be put forward: what runs on it then finds that so much time has
 * passed. `clock_timestamp()` and `now()` become functions of our own; nothing of the product knows of it.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Takes the clock over, in the database that a superuser is connected to. */
export const takeOver = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE SCHEMA chaos`
  yield* sql`CREATE TABLE chaos.clock (ahead interval NOT NULL)`
  yield* sql`INSERT INTO chaos.clock VALUES ('0')`
  yield* sql`GRANT USAGE ON SCHEMA chaos TO PUBLIC`
  yield* sql`GRANT SELECT ON chaos.clock TO PUBLIC`
  yield* sql`ALTER FUNCTION pg_catalog.clock_timestamp() RENAME TO wall_clock_timestamp`
  yield* sql`
    CREATE FUNCTION pg_catalog.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
    RETURN pg_catalog.wall_clock_timestamp() + (SELECT ahead FROM chaos.clock)
  `
  yield* sql`ALTER FUNCTION pg_catalog.now() RENAME TO wall_now`
  yield* sql`
    CREATE FUNCTION pg_catalog.now() RETURNS timestamptz LANGUAGE sql STABLE
    RETURN pg_catalog.wall_now() + (SELECT ahead FROM chaos.clock)
  `
  // What columns default to has followed the functions to their new names.
  yield* sql`
    DO $$
    DECLARE one record;
    BEGIN
      FOR one IN
        SELECT d.adrelid::regclass AS of, a.attname AS named, pg_get_expr(d.adbin, d.adrelid) AS is
        FROM pg_attrdef d
        JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
        WHERE pg_get_expr(d.adbin, d.adrelid) IN ('wall_clock_timestamp()', 'wall_now()')
      LOOP
        EXECUTE format('ALTER TABLE %s ALTER %I SET DEFAULT %s', one.of, one.named,
          replace(one.is, 'wall_', ''));
      END LOOP;
    END $$
  `
})

/** Puts the clock to an instant, from which it goes on. */
export const put = Effect.fnUntraced(function* (instant: Date) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE chaos.clock SET ahead = ${instant}::timestamptz - wall_clock_timestamp()`
})
