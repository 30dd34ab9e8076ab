/**
 * Many policies that are due on one day, invoiced by two workers: invoices, lines, postings, events and
 * audit rows, against the time in which `COPY` loads the rows of the same invoices and postings into
 * tables of the same form.
 */
import { freePort } from "@quittance/embedded-postgres/FreePort"
import * as Sql from "@quittance/persistence/sql/Sql"
import { fromEpochMillis } from "@quittance/domain/values/Instant"
import { ConfigProvider, Effect, Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import { readFileSync } from "node:fs"
import { setTimeout } from "node:timers/promises"
import * as Forked from "./Forked.ts"
import type { Bar } from "./Interleaved.ts"
import * as PolicyCopies from "./PolicyCopies.ts"
import * as PolicyWorld from "./PolicyWorld.ts"

const workers = 2

/** A run is as long as it has to be. */
const patient = ConfigProvider.fromUnknown({ DATABASE_STATEMENT_TIMEOUT: "2 hours" })

/** What a run of so many policies came to. */
export interface Run {
  readonly policies: number
  /** Microseconds for each invoice, over both workers. */
  readonly perInvoice: number
  /** Microseconds in which COPY loads the rows of an invoice. */
  readonly perCopied: number
  /** The largest memory that a worker ever had resident, in MB. */
  readonly megabytes: number
}

const peakOf = (pid: number | undefined): number => {
  const [, kilobytes] = /VmHWM:\s+(\d+)/u.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? []
  return Number(kilobytes) / 1024
}

const work = Effect.fnUntraced(function* (url: Redacted.Redacted, count: number) {
  const sql = yield* SqlClient.SqlClient
  const start = Effect.gen(function* () {
    const port = yield* Effect.promise(freePort)
    return yield* Forked.startBare("../apps/billing-worker/src/main.ts", {
      ENVIRONMENT: "sandbox",
      PORT: `${port}`,
      METRICS_PORT: "0",
      BASE_URL: PolicyWorld.baseUrl,
      AUTH_URL: PolicyWorld.authUrl,
      MAIL_DIR: "/nonexistent",
      DATABASE_URL: Redacted.value(url),
      KEY_ENCRYPTION_KEY: PolicyWorld.keyEncryptionKey.toString("base64url")
    })
  })
  const processes = yield* Effect.forEach(Array.from({ length: workers }), () => start)
  // Their last number is how many there are, without counting a million of them again and again.
  const invoices = Effect.map(
    sql<{ readonly count: number }>`SELECT value::int AS count FROM counter WHERE series = 'INV'`,
    ([row]) => row!.count
  )
  const before = yield* invoices
  const pause = Effect.promise(() => setTimeout(100))
  let first = yield* invoices
  while (first === before) {
    yield* pause
    first = yield* invoices
  }
  // What the first batches took to begin does not count, and neither do they.
  const started = performance.now()
  let last = first
  while (last < before + count) {
    yield* pause
    last = yield* invoices
  }
  const micros = (performance.now() - started) * 1000
  const megabytes = Math.max(...processes.map(({ pid }) => peakOf(pid)))
  // Of very few the first look may have found all.
  return { perInvoice: micros / Math.max(last - first, 1), megabytes }
}, Effect.scoped)

/** Loads what the run has written into tables of the same form. */
const loaded = Effect.fnUntraced(function* (count: number) {
  const sql = yield* SqlClient.SqlClient
  let micros = 0
  for (const table of ["invoice", "entry"]) {
    const file = `/tmp/quittance-${process.pid}-${table}.copy`
    yield* sql.unsafe(`COPY ${table} TO '${file}' (FORMAT binary)`)
    yield* sql.unsafe(`CREATE TABLE ${table}_copy (LIKE ${table} INCLUDING ALL)`)
    const started = performance.now()
    yield* sql.unsafe(`COPY ${table}_copy FROM '${file}' (FORMAT binary)`)
    micros += (performance.now() - started) * 1000
    yield* sql.unsafe(`COPY (SELECT 1) TO PROGRAM 'rm ${file}'`)
  }
  return micros / count
})

const run = Effect.fn("InvoiceRun.run")(function* (policies: number) {
  const { database, policyId } = yield* PolicyWorld.make(fromEpochMillis(Date.now() - 3_600_000))
  const superuser = yield* Sql.pool(database.superuserUrl, "postgres").pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, patient)
  )
  return yield* Effect.gen(function* () {
    yield* PolicyCopies.makeDue(policyId, policies)
    const { megabytes, perInvoice } = yield* work(database.url, policies)
    return { policies, megabytes, perInvoice, perCopied: yield* loaded(policies) } satisfies Run
  }).pipe(Effect.provideService(SqlClient.SqlClient, superuser))
}, Effect.scoped)

const barsOf = ({ megabytes, perCopied, perInvoice, policies }: Run): ReadonlyArray<Bar> => [
  {
    what: `an invoice of ${policies} that are due, with two workers, 5,000 a second`,
    limit: 1,
    ratio: perInvoice / 200,
    micros: [200, perInvoice]
  },
  {
    what: `an invoice of ${policies} ÷ COPY of its rows`,
    limit: 4,
    ratio: perInvoice / perCopied,
    micros: [perCopied, perInvoice]
  },
  {
    what: `the memory of a worker with ${policies}`,
    limit: 1,
    ratio: megabytes / 400,
    unit: "MB",
    micros: [400, megabytes]
  }
]

/** Runs of these sizes, and how each costs beside the smallest. */
export const bars = Effect.fn("InvoiceRun.bars")(function* (sizes: ReadonlyArray<number>) {
  const runs = yield* Effect.forEach(sizes, run)
  const [smallest] = runs
  const growth = runs.slice(1).map(({ perInvoice, policies }): Bar => ({
    what: `an invoice of ${policies} ÷ one of ${smallest!.policies}`,
    limit: 1.3,
    ratio: perInvoice / smallest!.perInvoice,
    micros: [smallest!.perInvoice, perInvoice]
  }))
  return [...runs.flatMap(barsOf), ...growth]
}, Effect.provide(Reactivity.layer))
