/** The traced program as a process of its own, and a story of requests to it. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"

/** What stands for people, tokens and amounts; none of it may be in telemetry. */
export const planted = "ada.lovelace@example.test"

export interface Traced {
  readonly port: number
  readonly management: number
  readonly child: ChildProcess
  /** Ends it in order, which sends what is left; how it ended. */
  stop(): Promise<number | null>
  /** Ends it at once, if it still runs. */
  kill(): void
}

/** Starts it with these variables. */
export const start = async (env: Readonly<Record<string, string>>): Promise<Traced> => {
  const main = new URL("./TracedProgram.ts", import.meta.url).pathname
  const child = spawn(process.execPath, ["--conditions=@quittance/source", main], {
    env: {
      PATH: process.env["PATH"],
      ENVIRONMENT: "sandbox",
      PORT: "0",
      MANAGEMENT_PORT: "0",
      DRAIN_TIME: "1 millis",
      ...env
    },
    stdio: ["ignore", "pipe", "inherit"]
  })
  let said = ""
  const ports = new Promise<readonly [number, number]>((resolve, reject) => {
    child.stdout.on("data", (chunk: Buffer) => {
      said += String(chunk)
      const [, port] = /Listening on http:\/\/127\.0\.0\.1:(\d+)/u.exec(said) ?? []
      const [, management] = /Management on http:\/\/127\.0\.0\.1:(\d+)/u.exec(said) ?? []
      if (port !== undefined && management !== undefined) resolve([+port, +management])
    })
    child.once("exit", () => reject(new Error(`It has ended: ${said}`)))
  })
  const [port, management] = await ports
  return {
    port,
    management,
    child,
    kill: () => void child.kill("SIGKILL"),
    stop: async () => {
      const ended = once(child, "exit")
      child.kill("SIGTERM")
      return (await ended)[0]
    }
  }
}

const planting = {
  "x-secret": planted,
  "user-agent": planted,
  authorization: `Bearer ${planted}`,
  cookie: `session=${planted}`
}

/** A request that has the planted text wherever a caller can put one. */
export const send = (
  { port }: Traced,
  path: string,
  { headers = {}, method = "GET" }: { headers?: Record<string, string>; method?: string } = {}
) =>
  fetch(`http://127.0.0.1:${port}${path}?email=${planted}`, {
    method,
    headers: { ...planting, tenant: planted, ...headers }
  }).then(async (answer) => {
    await answer.arrayBuffer()
    return answer.status
  })
