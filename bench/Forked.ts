/** A program of ours in a process of its own, with a probe in it. */
import { Effect } from "effect"
import * as childProcess from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Answer, Question } from "./Probe.ts"

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Starts `main`, a path from here, with a probe; the process ends with the scope. Its log goes nowhere. */
export const start = (main: string, env: Readonly<Record<string, string>>) =>
  fork(main, env, [`--import=${fileOf("./Probe.ts")}`])

/** The same without a probe: it answers for itself what it is asked. */
export const startBare = (main: string, env: Readonly<Record<string, string>>) =>
  fork(main, env, [])

const fork = (
  main: string,
  env: Readonly<Record<string, string>>,
  imports: ReadonlyArray<string>
) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const { HOME, NODE_OPTIONS = "", PATH, TMPDIR } = process.env
      return childProcess.fork(fileOf(main), {
        execArgv: [...flagsOf(main), ...imports],
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

/** What an app's own `start` says to Node, so that it is measured as it runs. */
const flagsOf = (main: string): ReadonlyArray<string> => {
  const [, app] = /^\.\.\/apps\/([^/]+)\//u.exec(main) ?? []
  if (app === undefined) return ["--conditions=@quittance/source"]
  const manifest: { readonly scripts: { readonly start: string } } = JSON.parse(
    readFileSync(fileOf(`../apps/${app}/package.json`), "utf8")
  )
  return manifest.scripts.start.split(" ").slice(1, -1)
}

/** Asks a probe one question. */
export const ask = (child: childProcess.ChildProcess, question: Question): Effect.Effect<Answer> =>
  Effect.promise(async () => {
    const answer = once(child, "message")
    child.send(question)
    // A probe answers each question with one answer.
    return (await answer)[0] as Answer
  })

/** The largest memory that a process ever had resident, in MiB. */
export const peakOf = (pid: number | string | undefined): number => {
  const [, kilobytes] = /VmHWM:\s+(\d+)/u.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? []
  return Number(kilobytes ?? 0) / 1024
}
