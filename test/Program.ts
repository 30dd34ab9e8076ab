/** Runs the programs of the repository as a user would, each as a process of its own. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import * as fs from "node:fs/promises"
import { request } from "node:http"
import * as os from "node:os"
import * as path from "node:path"
import { onTestFinished } from "vitest"
import { root } from "./Sources.ts"

type Environment = Readonly<Record<string, string>>

export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** What is to be done in the end, by default of the test that runs. */
type AtEnd = (end: () => Promise<void>) => void

/** A process and everything that it has printed so far. */
export class Program {
  readonly child: ChildProcess
  stdout = ""
  stderr = ""
  private readonly closed: Promise<unknown>

  /** Runs a program of this repository, or of another checkout of it. */
  constructor(
    app: string,
    args: ReadonlyArray<string>,
    env: Environment,
    checkout = root,
    atEnd: AtEnd = onTestFinished
  ) {
    const main = path.join(checkout, "apps", app, "src/main.ts")
    // No others: vitest and its shell have variables that the programs would read.
    const { HOME, PATH, TMPDIR } = process.env
    const surroundings = Object.entries({ HOME, PATH, TMPDIR }).filter(
      ([, value]) => value !== undefined
    )
    this.child = spawn(process.execPath, ["--conditions=@quittance/source", main, ...args], {
      cwd: checkout,
      env: { ...Object.fromEntries(surroundings), ...env },
      stdio: ["ignore", "pipe", "pipe"]
    })
    this.child.stdout?.on("data", (chunk) => (this.stdout += String(chunk)))
    this.child.stderr?.on("data", (chunk) => (this.stderr += String(chunk)))
    this.closed = once(this.child, "close")
    atEnd(async () => {
      this.child.kill("SIGKILL")
      await this.closed
    })
  }

  async finished(): Promise<Finished> {
    await this.closed
    return { code: this.child.exitCode, stdout: this.stdout, stderr: this.stderr }
  }

  async stopped(signal: NodeJS.Signals): Promise<Finished> {
    this.child.kill(signal)
    return this.finished()
  }

  /** Resolves when the output has what is looked for; rejects when the process ends before. */
  async says(text: string, stream: "stdout" | "stderr" = "stdout"): Promise<void> {
    const found = new Promise<void>((resolve) => {
      const look = () => {
        if (this[stream].includes(text)) resolve()
      }
      this.child[stream]?.on("data", look)
      look()
    })
    const ended = this.closed.then(() => {
      throw new Error(`The process ended without saying “${text}”.\n${this.stdout}\n${this.stderr}`)
    })
    await Promise.race([found, ended])
  }
}

export const folder = async (atEnd: AtEnd = onTestFinished): Promise<string> => {
  const made = await fs.mkdtemp(path.join(os.tmpdir(), "quittance-"))
  atEnd(() => fs.rm(made, { recursive: true, force: true }))
  return made
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: string
}

/** Asks a server on this machine, by whatever host's name. */
export const ask = async (
  port: number,
  target: string,
  {
    body: sent,
    headers = {},
    method = "GET"
  }: { headers?: Environment; method?: string; body?: string } = {}
): Promise<Answer> => {
  const asked = request({ host: "127.0.0.1", port, path: target, method, headers }).end(sent)
  const [response] = await once(asked, "response")
  let body = ""
  for await (const chunk of response) body += String(chunk)
  return { status: response.statusCode, headers: response.headers, body }
}
