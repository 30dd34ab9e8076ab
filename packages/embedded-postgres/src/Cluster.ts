/**
 * A PostgreSQL of our own in a folder: `cluster` (the data), `credentials.json` (the passwords of
 * its three logins) and `server.log`.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted, Schema } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { Database } from "@quittance/persistence/sql/Database"
import * as Roles from "@quittance/persistence/sql/Roles"
import { type Binaries, execute, type Identity } from "./Binaries.ts"
import { attempt, EmbeddedError } from "./EmbeddedError.ts"
import * as Folder from "./Folder.ts"

/** The database of the product; `postgres` beside it serves maintenance alone. */
export const databaseName = "quittance"
export const superuser = "postgres"

/** Passwords by login. */
export const Credentials = Schema.Struct({
  postgres: Schema.String,
  quittance_owner: Schema.String,
  quittance_runtime: Schema.String
})
export type Credentials = typeof Credentials.Type

/** A server that answers. */
export interface Server {
  readonly port: number
  readonly credentials: Credentials
}

export const dataFolder = (home: string) => path.join(home, "cluster")
const credentialsFile = (home: string) => path.join(home, "credentials.json")

export const url = (
  { credentials, port }: Server,
  login: keyof Credentials,
  database = databaseName
): Redacted.Redacted =>
  Redacted.make(`postgres://${login}:${credentials[login]}@127.0.0.1:${port}/${database}`)

/** The addresses of a database on the server, each role with its own login. */
export const addresses = (server: Server, database = databaseName) =>
  Database.of({
    url: url(server, Roles.runtimeRole, database),
    ownerUrl: url(server, Roles.ownerRole, database)
  })

/** Runs an effect on one connection of the superuser to the maintenance database. */
export const asSuperuser = <A, E, R>(
  server: Server,
  effect: Effect.Effect<A, E, R | SqlClient.SqlClient>,
  database = "postgres"
) =>
  PgClient.make({ url: url(server, superuser, database), maxConnections: 1 }).pipe(
    Effect.flatMap((client) => Effect.provideService(effect, SqlClient.SqlClient, client)),
    Effect.scoped,
    Effect.provide(Reactivity.layer)
  )

export const readCredentials = Effect.fn("Cluster.readCredentials")(function* (home: string) {
  const file = credentialsFile(home)
  const text = yield* attempt(`Can't read ${file}`, () => fs.readFile(file, "utf8"))
  return yield* Schema.decodeEffect(Schema.fromJsonString(Credentials))(text).pipe(
    Effect.mapError(
      (cause) => new EmbeddedError({ problem: `${file} does not hold the passwords.`, cause })
    )
  )
})

/** Makes an empty cluster in the folder, with new passwords. */
export const initialise = Effect.fn("Cluster.initialise")(function* (
  { bin, identity }: Binaries,
  home: string
) {
  const password = () => randomBytes(24).toString("base64url")
  const credentials: Credentials = {
    postgres: password(),
    quittance_owner: password(),
    quittance_runtime: password()
  }
  const data = dataFolder(home)
  const passwordFile = path.join(home, "password")
  yield* attempt(`Can't write ${home}`, async () => {
    await fs.mkdir(data)
    await fs.writeFile(credentialsFile(home), JSON.stringify(credentials), { mode: 0o600 })
    await fs.writeFile(passwordFile, credentials.postgres, { mode: 0o600 })
    if (identity !== undefined) await fs.chown(passwordFile, identity.uid, identity.gid)
  })
  yield* handOver(home, identity)
  yield* execute(
    path.join(bin, "initdb"),
    [`--pgdata=${data}`, `--pwfile=${passwordFile}`, ...initdbFlags],
    identity
  )
  yield* Folder.remove(passwordFile)
})

/** Gives the data to the user of PostgreSQL, who must be able to enter the folder around it. */
export const handOver = Effect.fn("Cluster.handOver")(function* (home: string, identity: Identity) {
  yield* attempt(`Can't protect ${home}`, async () => {
    await fs.chmod(home, identity === undefined ? 0o700 : 0o711)
    await fs.chmod(dataFolder(home), 0o700)
  })
  if (identity !== undefined) yield* Folder.giveTo(identity, dataFolder(home))
})

/**
 * Text is ordered by code point and its cases follow Unicode, on every system alike: that is what
 * the built-in provider gives. The log's small segments keep the folder quick to copy.
 */
const initdbFlags = [
  `--username=${superuser}`,
  "--auth=scram-sha-256",
  "--encoding=UTF8",
  "--locale-provider=builtin",
  "--locale=C",
  "--builtin-locale=C.UTF-8",
  "--wal-segsize=4",
  "--no-sync",
  "--no-instructions"
]

/** Creates the two roles, each with its own login, and the product's database on a new cluster. */
export const createDatabase = Effect.fn("Cluster.createDatabase")(function* (server: Server) {
  const { credentials } = server
  yield* asSuperuser(
    server,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      for (const role of [Roles.ownerRole, Roles.runtimeRole] as const) {
        yield* sql`CREATE ROLE ${sql(role)} LOGIN PASSWORD ${sql.literal(`'${credentials[role]}'`)}`
      }
      yield* sql`CREATE DATABASE ${sql(databaseName)} OWNER ${sql(Roles.ownerRole)}`
    })
  )
  yield* asSuperuser(server, Roles.ensure, databaseName)
})
