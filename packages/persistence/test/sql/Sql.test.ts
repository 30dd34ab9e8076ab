import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Deferred, Effect, Fiber, Layer, Logger, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { once } from "node:events"
import * as net from "node:net"
import { Database } from "../../src/sql/Database.ts"
import { freePort } from "@quittance/testing/Programs"
import { runtimeRole } from "../../src/sql/Roles.ts"
import * as Sql from "../../src/sql/Sql.ts"
import * as PgTest from "@quittance/testing/PgTest"

const settings = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly name: string; readonly setting: string }>`
    SELECT name, setting FROM pg_settings
    WHERE name IN ('statement_timeout', 'lock_timeout', 'TimeZone', 'search_path')
  `
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
})

const withConfig = (config: Record<string, string>) =>
  Layer.provide(Layer.fresh(Sql.layer), ConfigProvider.layer(ConfigProvider.fromUnknown(config)))

// Waiting for a server takes real time.
layer(PgTest.layerDatabase, { excludeTestServices: true })("Sql", (it) => {
  it.effect("fails at once when the server refuses the login", () =>
    Effect.gen(function* () {
      const { url } = yield* Database
      const wrong = new URL(Redacted.value(url))
      wrong.password = "wrong"

      const error = yield* Layer.build(Layer.fresh(Sql.layer)).pipe(
        Effect.provideService(Database, {
          url: Redacted.make(wrong.href),
          ownerUrl: Redacted.make(wrong.href)
        }),
        Effect.scoped,
        Effect.flip
      )

      assert.strictEqual(error._tag === "SqlError" && error.reason._tag, "AuthenticationError")
    })
  )

  it.effect("waits for a server that is not there yet", () =>
    Effect.gen(function* () {
      const database = yield* Database
      const target = new URL(Redacted.value(database.url))
      const asked = yield* Deferred.make<void>()
      const logger = Logger.make(() => {
        Deferred.doneUnsafe(asked, Effect.void)
      })
      const port = yield* Effect.promise(freePort)
      const away = new URL(target)
      away.port = String(port)
      const answer = yield* settings.pipe(
        Effect.provide(Layer.fresh(Sql.layer)),
        Effect.provideService(Database, { ...database, url: Redacted.make(away.href) }),
        Effect.provide(Logger.layer([logger])),
        Effect.forkChild
      )
      yield* Deferred.await(asked)

      yield* forward(port, Number(target.port))

      assert.strictEqual((yield* Fiber.join(answer))["TimeZone"], "UTC")
    }).pipe(Effect.scoped)
  )

  it.effect("limits statements and locks, and takes the limit from the configuration", () =>
    Effect.gen(function* () {
      const usual = { TimeZone: "UTC", lock_timeout: "5000", search_path: "public" }

      const byDefault = yield* Effect.provide(settings, withConfig({}))
      const configured = yield* Effect.provide(
        settings,
        withConfig({ DATABASE_STATEMENT_TIMEOUT: "2 minutes" })
      )

      assert.deepStrictEqual(byDefault, { ...usual, statement_timeout: "10000" })
      assert.deepStrictEqual(configured, { ...usual, statement_timeout: "120000" })
    })
  )

  it.effect(
    "behind a pooler has the login's role set what sessions need, and prepares nothing",
    () =>
      Effect.gen(function* () {
        const superuser = yield* PgTest.SuperuserSql
        const [database] = yield* superuser<{ readonly name: string }>`
        SELECT current_database() AS name
      `
        const give = (setting: string, value: string) =>
          superuser.unsafe(
            `ALTER ROLE ${runtimeRole} IN DATABASE ${database!.name} SET ${setting} = '${value}'`
          )
        const pooled = withConfig({ DATABASE_POOLER: "transaction" })
        const needed = {
          search_path: "public",
          statement_timeout: "7s",
          lock_timeout: "3s",
          idle_in_transaction_session_timeout: "9s"
        }

        // The server's own zone will do.
        for (const [setting, value] of Object.entries(needed)) {
          const error = yield* Effect.flip(Effect.scoped(Layer.build(pooled)))
          assert.include(error.message, `ALTER ROLE ${runtimeRole} SET ${setting} = `)
          yield* give(setting, value)
        }

        const [found, prepared] = yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const before = yield* settings
          yield* sql.withTransaction(sql`SELECT ${1}::int`)
          return [before, yield* sql`SELECT name FROM pg_prepared_statements`] as const
        }).pipe(Effect.provide(pooled))
        assert.deepStrictEqual(found, {
          TimeZone: "UTC",
          search_path: "public",
          statement_timeout: "7000",
          lock_timeout: "3000"
        })
        assert.deepStrictEqual(prepared, [])
      })
  )
})

/** Lets one port answer as another. */
const forward = (port: number, target: number) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = net.createServer((socket) => {
        const onward = net.connect(target, "127.0.0.1")
        socket.on("error", () => onward.destroy())
        onward.on("error", () => socket.destroy())
        socket.pipe(onward).pipe(socket)
      })
      server.listen(port, "127.0.0.1")
      await once(server, "listening")
      return server
    }),
    (server) => Effect.sync(() => server.close())
  )
