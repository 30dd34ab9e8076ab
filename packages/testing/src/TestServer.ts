/** A PostgreSQL for tests and benchmarks: fast, passing, with the product's schema as a template. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import * as Binaries from "@quittance/embedded-postgres/Binaries"
import { cacheFolder } from "@quittance/embedded-postgres/CacheFolder"
import * as Cluster from "@quittance/embedded-postgres/Cluster"
import { attempt } from "@quittance/embedded-postgres/EmbeddedError"
import * as Folder from "@quittance/embedded-postgres/Folder"
import * as PostgresServer from "@quittance/embedded-postgres/Server"
import * as Template from "@quittance/embedded-postgres/Template"

/** A server that answers, and the passwords of its logins. */
export type Server = Cluster.Server

/** Runs an effect on one connection of the superuser to a database of the server. */
export const asSuperuser = Cluster.asSuperuser

/** The programs of PostgreSQL, and a new folder that goes with the scope. */
const place = Effect.gen(function* () {
  const cache = yield* cacheFolder
  const identity = yield* Binaries.identityFor(cache)
  const binaries = yield* Binaries.find(cache, identity)
  const home = path.join(os.tmpdir(), `quittance-test-${randomUUID()}`)
  yield* Effect.acquireRelease(
    attempt(`Can't create ${home}`, async () => {
      await fs.mkdir(home)
      // So that the guard, which runs as the user of PostgreSQL, may remove it.
      if (identity !== undefined) await fs.chown(home, identity.uid, identity.gid)
    }),
    () => Folder.remove(home)
  )
  return { binaries, cache, home, identity }
})

/**
 * Starts a server, with more settings of PostgreSQL where they are given; it and its data are gone when
 * the scope closes or this process dies.
 */
export const startWith = Effect.fn("TestServer.startWith")(function* (
  settings: ReadonlyArray<string>
) {
  const { binaries, cache, home, identity } = yield* place
  const template = yield* Template.prepare(binaries, cache, Template.noSeed)
  yield* Template.copy(template, home, identity)
  return yield* PostgresServer.passing(binaries, home, settings)
})

/** Starts a small server. */
export const start = startWith([])

/** Starts a server that has never heard of the product: no role of it, and no database. */
export const startBare = Effect.gen(function* () {
  const { binaries, home } = yield* place
  yield* Cluster.initialise(binaries, home)
  return yield* PostgresServer.passing(binaries, home)
})

/** A migrated database of one's own, dropped when the scope closes; from `template0` it is empty. */
export const database = Effect.fn("TestServer.database")(function* (
  server: Server,
  template: string = Cluster.databaseName
) {
  const name = `test_${randomUUID().replaceAll("-", "")}`
  const run = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
    asSuperuser(server, effect)
  yield* Effect.acquireRelease(run(create(name, template)), () => Effect.orDie(run(drop(name))))
  return {
    ...Cluster.addresses(server, name),
    superuserUrl: Cluster.url(server, Cluster.superuser, name)
  }
})

export type TestDatabase = Effect.Success<ReturnType<typeof database>>

/** What `CREATE DATABASE` does not copy: the rights on the database itself. */
const create = Effect.fnUntraced(function* (name: string, template: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE DATABASE ${sql(name)} TEMPLATE ${sql(template)} STRATEGY FILE_COPY`
  yield* sql`REVOKE TEMPORARY ON DATABASE ${sql(name)} FROM PUBLIC`
})

const drop = Effect.fnUntraced(function* (name: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DROP DATABASE ${sql(name)} WITH (FORCE)`
})
