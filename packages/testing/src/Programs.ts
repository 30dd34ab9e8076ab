/** Starts programs that tests may kill, and cleans up what they leave. */
import { Effect } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import * as fs from "node:fs/promises"
import * as net from "node:net"
import * as os from "node:os"
import * as path from "node:path"
import { createInterface } from "node:readline"

export { freePort } from "@quittance/embedded-postgres/FreePort"

/** A passing folder; servers that run in one of its folders are ended with it. */
export const folder = Effect.acquireRelease(
  Effect.promise(async () => {
    const created = await fs.mkdtemp(path.join(os.tmpdir(), "quittance-test-"))
    // The user of PostgreSQL is another one where the tests are run by root.
    await fs.chmod(created, 0o755)
    return created
  }),
  (created) =>
    Effect.promise(async () => {
      for (const name of await fs.readdir(created)) {
        const pid = await readPid(path.join(created, name))
        if (pid !== undefined) process.kill(pid, "SIGQUIT")
      }
      // Its last files may be written while they are being removed.
      await fs.rm(created, { recursive: true, force: true, maxRetries: 10 })
    })
)

/** The id of the server on a data folder, while there is one. */
export const serverPid = (dataDir: string): Effect.Effect<number | undefined> =>
  Effect.promise(() => readPid(dataDir))

const readPid = (dataDir: string): Promise<number | undefined> =>
  fs.readFile(path.join(dataDir, "postgresql/cluster/postmaster.pid"), "utf8").then(
    (text) => Number(text.split("\n")[0]),
    () => undefined
  )

/** A program and the lines of JSON that it writes. */
export interface Program {
  readonly next: Effect.Effect<Record<string, unknown>>
  /** Sends the signal and waits for the end. */
  readonly end: (signal: NodeJS.Signals) => Effect.Effect<void>
}

/** Runs a file, named by its whole path, with the arguments and settings given. */
export const start = Effect.fn("Programs.start")(function* (
  file: string,
  args: ReadonlyArray<string>,
  settings: Record<string, string>
) {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => launch(file, args, settings)),
    (child) => Effect.promise(() => kill(child, "SIGKILL"))
  )
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
  return {
    next: Effect.promise(async () => {
      const { done, value } = await lines.next()
      if (done === true) throw new Error(`${file} has ended without a word`)
      return JSON.parse(value)
    }),
    end: (signal) => Effect.promise(() => kill(child, signal))
  } satisfies Program
})

/** Whether a server listens on the port. */
export const listens = (port: number): Effect.Effect<boolean> =>
  Effect.promise(async () => {
    const socket = net.connect(port, "127.0.0.1")
    const outcome = await Promise.race([
      once(socket, "connect").then(() => true),
      once(socket, "error").then(() => false)
    ]).catch(() => false)
    socket.destroy()
    return outcome
  })

const launch = (file: string, args: ReadonlyArray<string>, settings: Record<string, string>) =>
  spawn(process.execPath, ["--conditions=@quittance/source", file, ...args], {
    env: settings,
    stdio: ["ignore", "pipe", "inherit"]
  })

const kill = async (child: ChildProcess, signal: NodeJS.Signals) => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, "exit")
  child.kill(signal)
  await ended
}
