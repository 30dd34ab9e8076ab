/** Finding, starting, owning and stopping the server of a cluster's folder. */
import { PgClient } from "@effect/sql-pg"
import { Effect, Exit, Option, Schedule, Scope } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import * as fs from "node:fs/promises"
import * as net from "node:net"
import * as path from "node:path"
import { type Binaries, execute } from "./Binaries.ts"
import * as Cluster from "./Cluster.ts"
import { attempt, EmbeddedError } from "./EmbeddedError.ts"
import * as Folder from "./Folder.ts"
import { Busy, durable, launch, unsafe } from "./Postmaster.ts"

/**
 * The server of the folder, owned until the scope closes and then stopped: a new one, or the one
 * that a killed process has left running. One process owns it at a time; a second one fails.
 *
 * The owner is who holds an advisory lock on the server itself. The server drops it when the owner's
 * connection ends, so a kill frees it too, and no file and no process id has to be believed.
 */
export const own = Effect.fn("Server.own")(function* (binaries: Binaries, home: string) {
  const credentials = yield* Cluster.readCredentials(home)
  return yield* Effect.gen(function* () {
    const running = yield* find(home, credentials)
    const server = Option.isSome(running)
      ? running.value
      : { credentials, port: (yield* launch(binaries, home, durable)).port }
    // An interruption while it starts must not leave a server behind that has no owner.
    const abandon = Option.isSome(running) ? Effect.void : stop(binaries, home)
    yield* Effect.onInterrupt(claim(server), () => abandon)
    yield* Effect.addFinalizer(() => stop(binaries, home))
    yield* Effect.forkScoped(keepRunning(binaries, home, server))
    return server
  }).pipe(
    Effect.retry({
      while: (error) => error._tag === "Busy",
      schedule: Schedule.spaced("100 millis"),
      times: 30
    }),
    Effect.catchTag("Busy", () => inUse(home))
  )
})

/**
 * Starts the server again, on its port, when another process has ended it: programs that lost their
 * connections find it there. A failed start is logged and tried again.
 */
const keepRunning = (binaries: Binaries, home: string, server: Cluster.Server) =>
  Effect.suspend(() => {
    let isOurs = true
    return Effect.gen(function* () {
      if (!(yield* accepts(server.port))) {
        yield* Effect.logWarning("The embedded PostgreSQL has ended and is started again")
        isOurs = false
        yield* launch(binaries, home, durable, server.port)
      }
      if (isOurs) return
      yield* claim(server)
      isOurs = true
    }).pipe(
      Effect.catch((error) => Effect.logError("The embedded PostgreSQL does not start", error)),
      Effect.andThen(Effect.sleep("1 second")),
      Effect.forever
    )
  })

/** Whether something listens there. */
const accepts = (port: number) =>
  Effect.callback<boolean>((resume) => {
    const socket = net.connect({ host: "127.0.0.1", port })
    const end = (answer: boolean) => {
      socket.destroy()
      resume(Effect.succeed(answer))
    }
    socket.once("connect", () => end(true)).once("error", () => end(false))
    return Effect.sync(() => socket.destroy())
  })

/** The server of the folder if one runs, with any owner. */
export const attach = Effect.fn("Server.attach")(function* (home: string) {
  const running = yield* find(home, yield* Cluster.readCredentials(home))
  if (Option.isSome(running)) return running.value
  return yield* new EmbeddedError({ problem: `No server runs on the database in ${home}.` })
})

/** Removes a folder that is no longer used, with the server on it; unless it has an owner. */
export const retire = Effect.fn("Server.retire")(
  function* (binaries: Binaries, home: string) {
    const running = yield* find(home, yield* Cluster.readCredentials(home))
    if (Option.isSome(running)) {
      yield* claim(running.value)
      yield* stop(binaries, home)
    }
    yield* Folder.remove(home)
  },
  (effect) => Effect.ignore(Effect.scoped(effect))
)

/**
 * A server on a folder of ours alone, as fast as it gets: a crash of the machine loses its data, and
 * the server and its folder go when this process does, however it ends.
 *
 * @param settings of PostgreSQL, `name=value`, over those that make it fast
 */
export const passing = Effect.fn("Server.passing")(function* (
  binaries: Binaries,
  home: string,
  settings: ReadonlyArray<string> = []
) {
  const credentials = yield* Cluster.readCredentials(home)
  const launched = yield* Effect.acquireRelease(
    Effect.retry(
      launch(binaries, home, { ...unsafe, settings: [...unsafe.settings, ...settings] }),
      {
        while: (error) => error._tag === "Busy",
        times: 5
      }
    ).pipe(Effect.catchTag("Busy", () => inUse(home))),
    ({ release }) => Effect.andThen(release, stop(binaries, home))
  )
  return { credentials, port: launched.port } satisfies Cluster.Server
})

const inUse = (home: string) =>
  new EmbeddedError({
    problem:
      `Another process uses the database in ${home}. ` +
      "Stop it, or name another folder in DATA_DIR."
  })

/** A server is there when it lets us in and serves this very folder, not a copy of it. */
const find = Effect.fnUntraced(function* (home: string, credentials: Cluster.Credentials) {
  const data = Cluster.dataFolder(home)
  const port = yield* Effect.option(
    attempt("No server", async () => {
      const lines = (await fs.readFile(path.join(data, "postmaster.pid"), "utf8")).split("\n")
      return Number(lines[3])
    })
  )
  if (Option.isNone(port)) return Option.none()
  const server = { credentials, port: port.value }
  return yield* Cluster.asSuperuser(server, servedFolder).pipe(
    Effect.flatMap((folder) => attempt("No folder", async () => [folder, await fs.realpath(data)])),
    Effect.option,
    Effect.map(Option.filter(([served, ours]) => served === ours)),
    Effect.map(Option.as(server))
  )
})

const servedFolder = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly folder: string }>`
    SELECT setting AS folder FROM pg_settings WHERE name = 'data_directory'
  `
  return row!.folder
})

/** Holds the owner's lock until the scope closes. */
const claim = Effect.fnUntraced(function* (server: Cluster.Server) {
  const scope = yield* Effect.flatMap(Effect.scope, Scope.fork)
  return yield* Effect.gen(function* () {
    const client = yield* PgClient.make({
      url: Cluster.url(server, Cluster.superuser, "postgres"),
      maxConnections: 1
    })
    const connection = yield* client.reserve
    const rows = yield* connection.executeUnprepared(
      "SELECT pg_try_advisory_lock(hashtext('quittance owner')) AS mine",
      [],
      undefined
    )
    if (rows[0].mine !== true) return yield* new Busy()
  }).pipe(
    Effect.mapError(() => new Busy()),
    Scope.provide(scope),
    Effect.provide(Reactivity.layer),
    Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
  )
})

/** Ends the sessions, writes everything down and waits until the server has gone. */
const stop = ({ bin, identity }: Binaries, home: string) =>
  execute(
    path.join(bin, "pg_ctl"),
    ["stop", `--pgdata=${Cluster.dataFolder(home)}`, "--mode=fast", "--wait", "--silent"],
    identity
  ).pipe(Effect.ignore({ log: "Warn" }))
