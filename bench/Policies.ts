/**
 * A policy as it is now, by HTTP: through the whole of the bearer routes with token, tenant, permission
 * and row, against a bare Fastify with postgres.js that reads the same row and checks nothing. Each
 * server and the caller is a process of its own. The same with telemetry on, a tenth of the traces sampled,
 * against without. With `--million` a million policies are read, too.
 */
import { freePort } from "@quittance/embedded-postgres/FreePort"
import * as Sql from "@quittance/persistence/sql/Sql"
import { ConfigProvider, Effect, Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { setTimeout } from "node:timers/promises"
import * as Forked from "./Forked.ts"
import { type Bar, median } from "./Interleaved.ts"
import type { Load, Measured } from "./LoadClient.ts"
import * as PolicyCopies from "./PolicyCopies.ts"
import * as PolicyWorld from "./PolicyWorld.ts"
import { sized } from "./Smoke.ts"

const few = sized(1_000, 50)
const many = 1_000_000
const states = sized(1_000, 40)

const connections = 32
const rounds = sized(20, 1)
const warmUp = sized(8, 0)
const roundMillis = sized(1_000, 200)

type World = Effect.Success<ReturnType<typeof PolicyWorld.make>>

const untilReady = async (port: number) => {
  for (let tries = 0; tries < 600; tries++) {
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined)
    if (answer !== undefined) return
    await setTimeout(100)
  }
  throw new Error("The server does not answer after a minute.")
}

/** A server as it runs in production, on a free port. */
const serve = Effect.fn("Policies.serve")(function* (
  main: string,
  env: Readonly<Record<string, string>>
) {
  const port = yield* Effect.promise(freePort)
  yield* Forked.startBare(main, { ...env, PORT: `${port}`, MANAGEMENT_PORT: "0" })
  yield* Effect.promise(() => untilReady(port))
  return port
})

const bearerRoutes = ({ database }: World, telemetry: Readonly<Record<string, string>> = {}) =>
  serve("../apps/public-api/src/main.ts", {
    ...telemetry,
    ENVIRONMENT: "sandbox",
    BASE_URL: PolicyWorld.baseUrl,
    AUTH_URL: PolicyWorld.authUrl,
    DATABASE_URL: Redacted.value(database.url),
    KEY_ENCRYPTION_KEY: PolicyWorld.keyEncryptionKey.toString("base64url")
  })

/** Traces, of which a tenth are sampled, metrics and logs, to a collector that takes all of it. */
const telemetry = Effect.map(serve("./Collector.ts", {}), (port) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
  OTEL_TRACES_SAMPLER: "traceidratio",
  OTEL_TRACES_SAMPLER_ARG: "0.1"
}))

const bare = ({ database }: World) =>
  serve("./BareServer.ts", {
    DATABASE_URL: Redacted.value(database.superuserUrl),
    TENANT: PolicyWorld.tenant
  })

type Reading = Pick<Load, "count" | "first" | "port" | "queries">

/** Two ways of reading, turn about in short rounds; what warms up does not count. */
const compare = Effect.fn("Policies.compare")(function* (
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

/** A million rows are vacuumed longer than any statement of the product may take. */
const patient = ConfigProvider.fromUnknown({ DATABASE_STATEMENT_TIMEOUT: "30 minutes" })

/** All bars with so many policies. */
const bars = Effect.fnUntraced(function* (count: number) {
  const world = yield* PolicyWorld.make()
  const superuser = yield* Sql.pool(world.database.superuserUrl, "postgres").pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, patient)
  )
  const instants = yield* Effect.andThen(
    PolicyCopies.make(world.policyId, count + 1),
    PolicyCopies.change(count + 1, states)
  ).pipe(Effect.provideService(SqlClient.SqlClient, superuser))
  const client = yield* Forked.startBare("./LoadClient.ts", {})
  const port = yield* bearerRoutes(world)
  const plain = { port, first: 1, count, queries: [""] }
  const read = yield* compare(client, world.token, { ...plain, port: yield* bare(world) }, plain)
  const one = { ...plain, first: count + 1, count: 1 }
  const whenAt = yield* compare(client, world.token, one, {
    ...one,
    queries: instants.map((instant) => `?whenAt=${instant}`)
  })
  const traced = yield* compare(client, world.token, plain, {
    ...plain,
    port: yield* bearerRoutes(world, yield* telemetry)
  })
  const of = `one of ${count} policies`
  const result: ReadonlyArray<Bar> = [
    { what: `time for a read of ${of} ÷ bare Fastify`, limit: 1.43, ...read("perRequest") },
    { what: `p99 of a read of ${of} ÷ bare Fastify`, limit: 2, ...read("p99") },
    {
      what: `time for a read at an instant, of ${states} states of ${of} ÷ at present`,
      limit: 1.3,
      ...whenAt("perRequest")
    },
    {
      what: `time for a read of ${of} with telemetry, a tenth of the traces sampled ÷ without`,
      limit: 1.1,
      ...traced("perRequest")
    }
  ]
  return result
}, Effect.scoped)

/** What a million costs beside a thousand: the same ratios again, within 1.3 of them. */
const withMany = Effect.gen(function* () {
  const small = yield* bars(few)
  const large = yield* bars(many)
  const growth = small.map(({ ratio, what }, index): Bar => {
    const { ratio: grown } = large[index]!
    return {
      what: `${what}: with ${many}`,
      limit: 1.3,
      ratio: grown / ratio,
      micros: [ratio, grown],
      unit: "×"
    }
  })
  return [...small, ...large, ...growth]
})

export const bench = (process.argv.includes("--million") ? withMany : bars(few)).pipe(
  Effect.provide(Reactivity.layer)
)
