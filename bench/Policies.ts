/**
 * A policy as it is now, by HTTP: through the whole of the bearer routes with token, tenant, permission
 * and row, against a bare Fastify with postgres.js that reads the same row and checks nothing. Each
 * server and the caller is a process of its own. The same with telemetry on, a tenth of the traces sampled,
 * against without. With `--million` a million policies are read, too.
 */
import * as Sql from "@quittance/persistence/sql/Sql"
import { ConfigProvider, Effect } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import * as Forked from "./Forked.ts"
import { bare, bearerRoutes, compare, serve } from "./HttpLoad.ts"
import type { Bar } from "./Interleaved.ts"
import * as PolicyCopies from "./PolicyCopies.ts"
import * as PolicyWorld from "./PolicyWorld.ts"
import { sized } from "./Smoke.ts"

const few = sized(1_000, 50)
const many = 1_000_000
const states = sized(1_000, 40)

/** Traces, of which a tenth are sampled, metrics and logs, to a collector that takes all of it. */
const telemetry = Effect.map(serve("./Collector.ts", {}), ({ port }) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
  OTEL_TRACES_SAMPLER: "traceidratio",
  OTEL_TRACES_SAMPLER_ARG: "0.1"
}))

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
  const { port } = yield* bearerRoutes(world)
  const plain = { port, first: 1, count, queries: [""] }
  const read = yield* compare(client, world.token, { ...plain, ...(yield* bare(world)) }, plain)
  const one = { ...plain, first: count + 1, count: 1 }
  const whenAt = yield* compare(client, world.token, one, {
    ...one,
    queries: instants.map((instant) => `?whenAt=${instant}`)
  })
  const traced = yield* compare(client, world.token, plain, {
    ...plain,
    ...(yield* bearerRoutes(world, yield* telemetry))
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
