/** The process of a PostgreSQL server, from its start until it accepts connections. */
import { Data, Effect } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import * as fs from "node:fs/promises"
import type * as net from "node:net"
import * as path from "node:path"
import { freePort } from "./FreePort.ts"
import { type Binaries, environment } from "./Binaries.ts"
import * as Cluster from "./Cluster.ts"
import { attempt, EmbeddedError } from "./EmbeddedError.ts"

/** Another process starts, uses or stops the same server at this moment, or took the port. */
export class Busy extends Data.TaggedError("Busy")<{}> {}

/** How a server runs. */
export interface Mode {
  readonly settings: ReadonlyArray<string>
  /** Whether the server is killed, and its folder removed, when this process is gone. */
  readonly guarded: boolean
}

const common = [
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  "max_connections=100",
  "jit=off",
  "timezone=UTC",
  "log_timezone=UTC"
]

/** Survives a crash of the machine, and of this process. */
export const durable: Mode = { settings: common, guarded: false }

/** For data that can be made again. */
export const unsafe: Mode = {
  settings: [
    ...common,
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "shared_buffers=64MB",
    "max_wal_size=256MB",
    "autovacuum=off"
  ],
  guarded: process.platform !== "win32"
}

/**
 * PostgreSQL takes the place of this shell, so the child's id is the server's. The part before it
 * waits on a pipe that closes when this process ends in any way, also by a kill, and cleans up.
 */
const guard = `
  ( read -r word <&3
    [ "$word" = released ] && exit 0
    kill -QUIT $$ && for i in 1 2 3 4 5 6 7 8 9; do kill -0 $$ 2>/dev/null && sleep 0.2; done
    rm -rf "$0" ) &
  exec "$@" 3<&-`

export interface Launched {
  readonly port: number
  /** Takes the guard away, before the server is stopped in good order. */
  readonly release: Effect.Effect<void>
}

/** Starts the server of the folder, on a port that it had before or a free one; it then takes connections. */
export const launch = Effect.fn("Postmaster.launch")(function* (
  { bin, identity }: Binaries,
  home: string,
  mode: Mode,
  again?: number
) {
  // Who takes it before PostgreSQL does makes the start fail as busy.
  const port = again ?? (yield* attempt("No free port", freePort))
  const command = [
    path.join(bin, "postgres"),
    "-D",
    Cluster.dataFolder(home),
    "-p",
    `${port}`,
    ...mode.settings.flatMap((setting) => ["-c", setting])
  ]
  const log = path.join(home, "server.log")
  const logged = yield* attempt(`Can't write ${log}`, () => beginLog(log))
  const child = yield* attempt("Can't start PostgreSQL", async () => {
    const file = await fs.open(log, "a", 0o600)
    const [program, ...args] = mode.guarded ? ["/bin/sh", "-c", guard, home, ...command] : command
    // Its own process group: Ctrl-C in a terminal is for us, we then stop the server in good order.
    const child = spawn(program!, args, {
      ...identity,
      cwd: "/",
      env: environment,
      detached: true,
      stdio: ["ignore", "ignore", file.fd, mode.guarded ? "pipe" : "ignore"]
    })
    await once(child, "spawn").finally(() => file.close())
    // Neither the server nor the pipe of its guard keeps this process running.
    child.unref()
    pipeOf(child)?.unref()
    return child
  })
  yield* ready(child, home).pipe(
    Effect.catch(() => explain(log, logged)),
    Effect.onInterrupt(() => Effect.sync(() => child.kill("SIGINT")))
  )
  const release = Effect.sync(() => {
    pipeOf(child)?.end("released\n")
  })
  return { port, release } satisfies Launched
})

// Node opens a pipe to a child as a socket, and types it as any stream.
const pipeOf = (child: ChildProcess) => child.stdio[3] as net.Socket | null | undefined

/** Waits for the status that the server writes into its pid file; fails when the process ends. */
const ready = (child: ChildProcess, home: string) => {
  const file = path.join(Cluster.dataFolder(home), "postmaster.pid")
  return Effect.gen(function* () {
    while (child.exitCode === null && child.signalCode === null) {
      const lines = yield* attempt("No pid file", () => fs.readFile(file, "utf8")).pipe(
        Effect.map((text) => text.split("\n")),
        Effect.orElseSucceed(() => [])
      )
      // The file of a server that was killed may still be there.
      if (lines[0] === `${child.pid}` && lines[7]?.trim() === "ready") return
      yield* Effect.sleep("5 millis")
    }
    return yield* Effect.fail("ended" as const)
  })
}

/** The size of the log, from where this start will be read; an old long one is dropped. */
const beginLog = async (log: string): Promise<number> => {
  const size = await fs.stat(log).then(
    (stat) => stat.size,
    () => 0
  )
  if (size < maxLogBytes) return size
  await fs.truncate(log)
  return 0
}
const maxLogBytes = 1024 * 1024

/** Why the server ended while it was starting, as its log tells. */
const explain = Effect.fnUntraced(function* (log: string, from: number) {
  const text = yield* attempt(`Can't read ${log}`, () => fs.readFile(log, "utf8"))
  const said = text.slice(from)
  if (/postmaster\.pid" already exists|could not bind|could not create any TCP/u.test(said)) {
    return yield* new Busy()
  }
  const lines = said.trim().split("\n").slice(-5).join("\n")
  return yield* new EmbeddedError({ problem: `PostgreSQL did not start, see ${log}:\n${lines}` })
})
