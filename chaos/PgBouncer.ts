/** PgBouncer in transaction mode in front of a database that comes and goes. */
import * as Cluster from "@quittance/embedded-postgres/Cluster"
import * as Binaries from "@quittance/embedded-postgres/Binaries"
import { freePort } from "@quittance/embedded-postgres/FreePort"
import { runtimeRole } from "@quittance/persistence/sql/Roles"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import * as fs from "node:fs/promises"
import { connect } from "node:net"
import * as os from "node:os"
import * as path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import * as Line from "./Line.ts"
import type { Shaken } from "./Shaken.ts"

/** What the pooler says it is; nothing where it is not installed. */
export const version = (): string | undefined => {
  const { status, stdout } = spawnSync("pgbouncer", ["--version"], { encoding: "utf8" })
  return status === 0 ? stdout.split("\n")[0] : undefined
}

/** What `docs/operations.md` has the role of the login set, since no session may. */
const settings = {
  search_path: "public",
  timezone: "UTC",
  statement_timeout: "10s",
  lock_timeout: "5s",
  idle_in_transaction_session_timeout: "15s"
}

const giveSettings = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const [name, value] of Object.entries(settings)) {
    yield* sql.unsafe(`ALTER ROLE ${runtimeRole} SET ${name} = '${value}'`)
  }
})

/** Far fewer connections of the server than programs have of the pooler. */
const poolSize = 6

/** Starts the pooler; the answer is its port on loopback. */
export const start = Effect.fn("PgBouncer.start")(function* (shaken: Shaken) {
  yield* Cluster.asSuperuser(shaken.server(), giveSettings)
  // The server has another port after each start; what the pooler is told must not change.
  const server = yield* Line.make(() => shaken.server().port)
  const port = yield* Effect.promise(freePort)
  const folder = yield* Effect.acquireRelease(
    Effect.promise(() => fs.mkdtemp(path.join(os.tmpdir(), "quittance-pgbouncer-"))),
    (made) => Effect.promise(() => fs.rm(made, { recursive: true, force: true }))
  )
  const identity = yield* Binaries.identityFor(folder)
  const users = path.join(folder, "users.txt")
  const config = path.join(folder, "pgbouncer.ini")
  const password = shaken.server().credentials[runtimeRole]
  yield* Effect.promise(async () => {
    await fs.writeFile(users, `"${runtimeRole}" "${password}"\n`)
    await fs.writeFile(
      config,
      [
        "[databases]",
        `* = host=127.0.0.1 port=${server.port}`,
        "[pgbouncer]",
        "listen_addr = 127.0.0.1",
        `listen_port = ${port}`,
        "unix_socket_dir =",
        "auth_type = scram-sha-256",
        `auth_file = ${users}`,
        "pool_mode = transaction",
        `default_pool_size = ${poolSize}`,
        "max_client_conn = 500",
        // The server is back within a second.
        "server_login_retry = 1",
        `logfile = ${path.join(folder, "log")}`
      ].join("\n")
    )
    if (identity === undefined) return
    for (const file of [folder, users, config]) await fs.chown(file, identity.uid, identity.gid)
  })
  yield* Effect.acquireRelease(
    Effect.sync(() => spawn("pgbouncer", [config], { ...identity, stdio: "ignore" })),
    (child) =>
      Effect.promise(async () => {
        if (child.exitCode !== null) return
        const gone = once(child, "exit")
        child.kill("SIGKILL")
        await gone
      })
  )
  yield* Effect.promise(() => answering(port))
  return port
})

const answering = async (port: number): Promise<void> => {
  for (let left = 100; left > 0; left--) {
    const socket = connect(port, "127.0.0.1")
    const isThere = await once(socket, "connect").then(
      () => true,
      () => false
    )
    socket.destroy()
    if (isThere) return
    await sleep(50)
  }
  throw new Error("PgBouncer does not listen.")
}
