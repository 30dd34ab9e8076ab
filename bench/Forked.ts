/** A program of ours in a process of its own, with a probe in it. */
import { Effect } from "effect"
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { type AddressInfo, createServer } from "node:net"
import { fileURLToPath } from "node:url"
import type { Answer, Question } from "./Probe.ts"

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Starts `main`, a path from here; the process ends with the scope. Its log goes nowhere. */
export const start = (main: string, env: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const { HOME, NODE_OPTIONS = "", PATH, TMPDIR } = process.env
      return fork(fileOf(main), {
        execArgv: ["--conditions=@quittance/source", `--import=${fileOf("./Probe.ts")}`],
        env: { HOME, NODE_OPTIONS, PATH, TMPDIR, ...env },
        stdio: ["ignore", "ignore", "inherit", "ipc"]
      })
    }),
    (child) =>
      Effect.promise(async () => {
        if (child.exitCode !== null) return
        child.kill("SIGTERM")
        await once(child, "exit")
      })
  )

/** Asks a probe one question. */
export const ask = (child: ChildProcess, question: Question): Effect.Effect<Answer> =>
  Effect.promise(async () => {
    const answer = once(child, "message")
    child.send(question)
    // A probe answers each question with one answer.
    return (await answer)[0] as Answer
  })

/** A port that nothing listens on at the moment. */
export const freePort = Effect.promise(async () => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo
  server.close()
  return port
})
