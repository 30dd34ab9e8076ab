/** Servers as processes of their own, and two ways of asking them turn about. */
import { freePort } from "@quittance/embedded-postgres/FreePort"
import { Effect, Redacted } from "effect"
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { setTimeout } from "node:timers/promises"
import * as Forked from "./Forked.ts"
import { type Bar, median } from "./Interleaved.ts"
import type { Load, Measured } from "./LoadClient.ts"
import * as PolicyWorld from "./PolicyWorld.ts"
import { sized } from "./Smoke.ts"

const connections = 32
const rounds = sized(20, 1)
const warmUp = sized(8, 0)
const roundMillis = sized(1_000, 200)

export type World = Effect.Success<ReturnType<typeof PolicyWorld.make>>

const untilReady = async (port: number) => {
  for (let tries = 0; tries < 600; tries++) {
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined)
    if (answer !== undefined) return
    await setTimeout(100)
  }
  throw new Error("The server does not answer after a minute.")
}

/** A server as it runs in production, on a free port. */
export const serve = Effect.fn("HttpLoad.serve")(function* (
  main: string,
  env: Readonly<Record<string, string>>
) {
  const port = yield* Effect.promise(freePort)
  const { pid } = yield* Forked.startBare(main, { ...env, PORT: `${port}`, MANAGEMENT_PORT: "0" })
  yield* Effect.promise(() => untilReady(port))
  return { pid, port }
})

/** What every program of the service is told, on the database of a world. */
const surroundings = ({ database }: World) => ({
  ENVIRONMENT: "sandbox",
  BASE_URL: PolicyWorld.baseUrl,
  AUTH_URL: PolicyWorld.authUrl,
  DATABASE_URL: Redacted.value(database.url),
  KEY_ENCRYPTION_KEY: PolicyWorld.keyEncryptionKey.toString("base64url")
})

/** The interface on the database of a world. */
export const bearerRoutes = (world: World, telemetry: Readonly<Record<string, string>> = {}) =>
  serve("../apps/public-api/src/main.ts", { ...telemetry, ...surroundings(world) })

/** A server that checks nothing, on the same database. */
export const bare = ({ database }: World) =>
  serve("./BareServer.ts", {
    DATABASE_URL: Redacted.value(database.superuserUrl),
    TENANT: PolicyWorld.tenant
  })

type Reading = Omit<Load, "connections" | "headers" | "millis">

/** Two ways of reading, turn about in short rounds; what warms up does not count. */
export const compare = Effect.fn("HttpLoad.compare")(function* (
  client: ChildProcess,
  token: string,
  baseline: Reading,
  subject: Reading
) {
  const load = (reading: Reading) =>
    Effect.promise(async () => {
      const answer = Promise.race([once(client, "message"), failed])
      const headers = [
        "host: localhost:8080",
        `tenant: ${PolicyWorld.tenant}`,
        `authorization: Bearer ${token}`
      ]
      client.send({ ...reading, headers, connections, millis: roundMillis } satisfies Load)
      // A client answers each load with one measurement.
      return (await answer)[0] as Measured
    })
  const failed = once(client, "exit").then(() => {
    throw new Error("The caller has ended.")
  })
  const measured: Array<readonly [baseline: Measured, subject: Measured]> = []
  for (let round = 0; round < rounds + warmUp; round++) {
    const one = yield* load(baseline)
    const other = yield* load(subject)
    if (round >= warmUp) measured.push([one, other])
  }
  return (of: keyof Measured): Pick<Bar, "micros" | "ratio"> => ({
    ratio: median(measured.map(([one, other]) => other[of] / one[of])),
    micros: [
      median(measured.map(([one]) => one[of])),
      median(measured.map(([, other]) => other[of]))
    ]
  })
})
