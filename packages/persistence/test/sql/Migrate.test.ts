import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { Database } from "../../src/sql/Database.ts"
import * as Migrate from "../../src/sql/Migrate.ts"
import { migrations } from "../../src/migrations.ts"
import * as Sql from "../../src/sql/Sql.ts"
import * as PgTest from "@quittance/testing/PgTest"
import * as TestServer from "@quittance/testing/TestServer"

/** Runs an effect as the owner of a database that has no tables yet. */
const onEmptyDatabase = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const { superuserUrl: url } = yield* TestServer.database(inject("postgres"), "template0")
    const database = Layer.succeed(Database, Database.of({ url, ownerUrl: url }))
    return yield* Effect.provide(effect, database)
  }).pipe(Effect.scoped)

const run = Effect.provide(Migrate.run, Layer.fresh(Sql.layerOwner))
const pending = Effect.provide(Migrate.pending, Layer.fresh(Sql.layerOwner))
const asOwner = <A, E>(
  query: (sql: SqlClient.SqlClient) => Effect.Effect<A, E, SqlClient.SqlClient>
) => Effect.provide(Effect.flatMap(SqlClient.SqlClient, query), Layer.fresh(Sql.layerOwner))

layer(PgTest.layer)("Migrate", (it) => {
  it.effect("takes a database that a newer release has migrated, and leaves it alone", () =>
    onEmptyDatabase(
      Effect.gen(function* () {
        yield* run
        yield* asOwner(
          (sql) => sql`INSERT INTO migration (migration_id, name) VALUES (9999, 'add_more')`
        )

        assert.deepStrictEqual([yield* pending, yield* run], [[], []])
      })
    )
  )

  it.effect("refuses a database that has another migration between its own", () =>
    onEmptyDatabase(
      Effect.gen(function* () {
        yield* run
        yield* asOwner((sql) => sql`UPDATE migration SET name = 'do_else' WHERE migration_id = 1`)

        for (const error of [yield* Effect.flip(run), yield* Effect.flip(pending)]) {
          assert.include(error.message, "0001_do_else is in the database but not in this program")
        }
      })
    )
  )

  it.effect("refuses a migration that comes before one already applied", () =>
    onEmptyDatabase(
      Effect.gen(function* () {
        yield* run
        yield* asOwner((sql) => sql`DELETE FROM migration WHERE migration_id = 1`)

        const error = yield* Effect.flip(run)

        assert.include(
          error.message,
          "0001_create_tenants comes before one that is already applied"
        )
      })
    )
  )

  it.effect("says why a migration fails, and leaves nothing behind", () =>
    onEmptyDatabase(
      Effect.gen(function* () {
        yield* asOwner((sql) => sql`CREATE TABLE tenant (mine int)`)

        const error = yield* Effect.flip(run)

        assert.match(
          error.message,
          /^Migration 0001_\w+ failed, .*: relation "tenant" already exists/u
        )
        assert.deepStrictEqual(yield* pending, Object.keys(migrations))
      })
    )
  )

  it.effect(
    "lets requests through after every five migrations, and goes on after one that failed",
    () =>
      onEmptyDatabase(
        Effect.gen(function* () {
          const names = Object.keys(migrations)
          // One whose tables are there already, after the first: it fails at its turn.
          yield* asOwner(
            (sql) => sql`CREATE TABLE migration (migration_id int PRIMARY KEY, name text NOT NULL,
            created_at timestamptz NOT NULL DEFAULT now())`
          )
          const error = yield* asOwner((sql) =>
            Effect.gen(function* () {
              yield* migrations["0001_create_tenants"]
              yield* sql`INSERT INTO migration (migration_id, name) VALUES (1, 'create_tenants')`
              yield* sql`CREATE TABLE ${sql("policy")} (mine int)`
            })
          ).pipe(Effect.andThen(Effect.flip(run)))
          assert.include(error.message, "Migration 0012_create_policies failed")
          // The ten between them are two turns of five; the third began with the one that failed.
          assert.deepStrictEqual(yield* pending, names.slice(11))

          yield* asOwner((sql) => sql`DROP TABLE policy`)
          assert.deepStrictEqual(yield* run, names.slice(11))
          assert.deepStrictEqual([yield* pending, yield* run], [[], []])
        })
      )
  )

  it.effect("applies every migration once, also when several programs start at the same time", () =>
    onEmptyDatabase(
      Effect.gen(function* () {
        const names = Object.keys(migrations)
        assert.deepStrictEqual(yield* pending, names)

        const applied = yield* Effect.all([run, run, run], { concurrency: "unbounded" })

        assert.deepStrictEqual(
          applied.toSorted((a, b) => b.length - a.length),
          [names, [], []]
        )
        assert.deepStrictEqual(yield* pending, [])
      })
    )
  )

  it.effect("tells the runtime role what is pending, for its readiness", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* Migrate.pending, [])
    })
  )
})
