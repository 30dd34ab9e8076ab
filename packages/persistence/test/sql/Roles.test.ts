/** Servers as they are found in the wild, and which logins they offer. */
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import { Database } from "../../src/sql/Database.ts"
import * as Migrate from "../../src/sql/Migrate.ts"
import * as Roles from "../../src/sql/Roles.ts"
import * as Sql from "../../src/sql/Sql.ts"
import * as TestServer from "@quittance/testing/TestServer"

/** A server that has never heard of the product. */
class BareServer extends Context.Service<BareServer, TestServer.Server>()("test/BareServer") {
  static readonly layer = Layer.effect(BareServer, TestServer.startBare)
}

/** The address of the database for another login, which has no password of its own. */
const urlFor = (url: Redacted.Redacted, login: string) => {
  const other = new URL(Redacted.value(url))
  other.username = login
  other.password = login
  return Redacted.make(other.href)
}

const database = (url: Redacted.Redacted) =>
  Layer.succeed(Database, Database.of({ url, ownerUrl: url }))

/** Who a pool of the layer serves as, once the schema is there. */
const servedAs = (url: Redacted.Redacted) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql`
      SELECT current_user, session_user, (SELECT count(*)::int FROM rate_limit) AS seen,
        current_setting('timezone') AS zone
    `
    return row
  }).pipe(Effect.provide(Layer.provide(Layer.fresh(Sql.layer), database(url))))

const migrateAs = (url: Redacted.Redacted) =>
  Effect.provide(Migrate.run, Layer.provide(Layer.fresh(Sql.layerOwner), database(url)))

// A server takes real time to start.
layer(BareServer.layer, { excludeTestServices: true })("a server without the roles", (it) => {
  it.effect("serves the roles that may be served, and no others", () =>
    Effect.gen(function* () {
      const server = yield* BareServer
      const { superuserUrl } = yield* TestServer.database(server, "template0")
      const name = new URL(Redacted.value(superuserUrl)).pathname.slice(1)
      const superuser = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
        TestServer.asSuperuser(server, effect, name)
      yield* superuser(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          for (const login of ["plain", "deployer", "member", "owning"]) {
            yield* sql`CREATE ROLE ${sql(login)} LOGIN PASSWORD ${sql.literal(`'${login}'`)}`
          }
          yield* sql`ALTER ROLE deployer CREATEROLE`
          yield* sql`ALTER DATABASE ${sql(name)} OWNER TO deployer`
        })
      )

      // Nothing is there yet, and a plain login can't make it.
      const missing = yield* Effect.flip(servedAs(urlFor(superuserUrl, "plain")))
      assert.include(missing.message, "quittance_owner does not exist")

      // A login that may create roles, as managed servers give one, prepares and migrates; later
      // logins find what they need. All start at once.
      const deployer = urlFor(superuserUrl, "deployer")
      const migrated = yield* Effect.all([migrateAs(deployer), migrateAs(deployer)], {
        concurrency: "unbounded"
      })
      assert.strictEqual(migrated.filter((names) => names.length > 0).length, 1)
      const served = { currentUser: "quittance_runtime", seen: 0, zone: "UTC" }
      assert.deepStrictEqual(yield* servedAs(deployer), { ...served, sessionUser: "deployer" })
      assert.deepStrictEqual(yield* servedAs(superuserUrl), { ...served, sessionUser: "postgres" })

      // A login that has neither role is told so.
      const stranger = yield* Effect.flip(servedAs(urlFor(superuserUrl, "plain")))
      assert.include(stranger.message, "plain is not a member of quittance_runtime")
      const noOwner = yield* Effect.flip(migrateAs(urlFor(superuserUrl, "plain")))
      assert.include(noOwner.message, "plain is not a member of quittance_owner")

      // Members of either role serve as the runtime role; only one of them migrates.
      yield* superuser(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql`GRANT quittance_runtime TO member`
          yield* sql`GRANT quittance_owner TO owning`
        })
      )
      for (const login of ["member", "owning"]) {
        const answer = yield* servedAs(urlFor(superuserUrl, login))
        assert.deepStrictEqual(answer, { ...served, sessionUser: login })
      }
      assert.deepStrictEqual(yield* migrateAs(urlFor(superuserUrl, "owning")), [])
    }).pipe(Effect.scoped, Effect.provide(Reactivity.layer))
  )

  it.effect.each(["postgres", Roles.ownerRole])("never serves as %s", (role) =>
    Effect.gen(function* () {
      const server = yield* BareServer
      const { superuserUrl } = yield* TestServer.database(server, "template0")
      yield* migrateAs(superuserUrl)
      const client = yield* Sql.pool(superuserUrl, role)

      const error = yield* Roles.assertRuntime.pipe(
        Effect.provideService(SqlClient.SqlClient, client),
        Effect.flip
      )

      assert.include(error.message, `The database role ${role} must not`)
    }).pipe(Effect.scoped, Effect.provide(Reactivity.layer))
  )
})
