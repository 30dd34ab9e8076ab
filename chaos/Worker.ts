/** Workers and dispatchers as they run in production, each a process of its own with a clock of its own. */
import { Effect } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import * as os from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { keyEncryptionKey } from "./World.ts"

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** `CHAOS_LOG=1` shows what workers say. */
const says = process.env.CHAOS_LOG === undefined ? "ignore" : "inherit"

/** A machine, or what stands for one. */
export interface Host {
  /** By which address the harness is reached from there. */
  readonly harness: string
  /** And by which it is reached itself. */
  readonly own: string
  /** What a command line begins with that is to run there. */
  readonly command: ReadonlyArray<string>
  /** Further settings of programs there. */
  readonly env: Readonly<Record<string, string>>
}

export interface Settings {
  readonly host: Host
  readonly databaseUrl: string
  /** Where it answers health checks. */
  readonly port: number
  readonly skewHours: number
  /** Where its letters are left. */
  readonly mail: string
  /** The program, as a path from this folder. */
  readonly program: string
}

/** The program of an app. */
export const appProgram = (app: string): string => `../apps/${app}/src/main.ts`

/** Starts a worker; nothing waits until it serves. */
export const start = ({
  databaseUrl,
  host,
  mail,
  port,
  program: path,
  skewHours
}: Settings): ChildProcess =>
  program(path, host, {
    CHAOS_SKEW_HOURS: `${skewHours}`,
    PORT: `${port}`,
    MANAGEMENT_PORT: "0",
    MAIL_DIR: mail,
    BILLING_POLL_INTERVAL: "50 millis",
    LETTER_POLL_INTERVAL: "200 millis",
    AUDIT_POLL_INTERVAL: "200 millis",
    EVENT_POLL_INTERVAL: "50 millis",
    SEQUENCER_POLL_INTERVAL: "50 millis",
    WEBHOOK_POLL_INTERVAL: "50 millis",
    DOCUMENT_POLL_INTERVAL: "200 millis",
    DATABASE_URL: databaseUrl
  })

export const baseUrl = "http://localhost:8080"
export const authUrl = "http://{tenant}.auth.localhost:8080"

/** Starts a program of ours on a host. */
export const program = (
  path: string,
  { command, env }: Pick<Host, "command" | "env">,
  settings: Readonly<Record<string, string>>
): ChildProcess => {
  const [file, ...args] = [
    ...command,
    process.execPath,
    "--conditions=@quittance/source",
    `--import=${fileOf("./Skewed.ts")}`,
    fileOf(path)
  ]
  // There is always a program to run.
  return spawn(file!, args, {
    env: {
      HOME: process.env.HOME,
      PATH: process.env.PATH,
      TMPDIR: process.env.TMPDIR,
      // A worker that dies young has not compiled its program for nothing.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(os.tmpdir(), "node-compile-cache"),
      ENVIRONMENT: "sandbox",
      BASE_URL: baseUrl,
      AUTH_URL: authUrl,
      KEY_ENCRYPTION_KEY: keyEncryptionKey.toString("base64url"),
      ...env,
      ...settings
    },
    stdio: ["ignore", says, says]
  })
}

/** Ends a process without its help, and waits until it is gone. */
export const kill = (child: ChildProcess): Effect.Effect<void> =>
  Effect.promise(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, "exit")
    child.kill("SIGKILL")
    await gone
  })
