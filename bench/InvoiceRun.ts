/**
 * Many policies that are due on one day, invoiced by two workers: invoices, lines, postings, events and
 * audit rows, against the time in which `COPY` loads the rows of the same invoices and postings into
 * tables of the same form.
 */
import { freePort } from "@quittance/embedded-postgres/FreePort"
import * as Sql from "@quittance/persistence/sql/Sql"
import type { Product } from "@quittance/domain/products/Product"
import { fromEpochMillis } from "@quittance/domain/values/Instant"
import { ConfigProvider, Effect, Redacted, type Scope } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
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

/** A program on the database of the run. */
const start = Effect.fnUntraced(function* (
  program: string,
  url: Redacted.Redacted,
  env: Readonly<Record<string, string>> = {}
) {
  const port = yield* Effect.promise(freePort)
  return yield* Forked.startBare(program, {
    ENVIRONMENT: "sandbox",
    PORT: `${port}`,
    MANAGEMENT_PORT: "0",
    BASE_URL: PolicyWorld.baseUrl,
    AUTH_URL: PolicyWorld.authUrl,
    DATABASE_URL: Redacted.value(url),
    KEY_ENCRYPTION_KEY: PolicyWorld.keyEncryptionKey.toString("base64url"),
    ...env
  })
})

/** A dispatcher, with so many consumers that hang; its letters go with the scope. */
export const startDispatcher = Effect.fnUntraced(function* (
  url: Redacted.Redacted,
  hungConsumers: number
) {
  const mail = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "quittance-bench-mail-"))),
    (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
  )
  return yield* start("./HungDispatcher.ts", url, { HUNG: `${hungConsumers}`, MAIL_DIR: mail })
})

/** What runs beside the workers. */
export interface Beside {
  /** Consumers of a dispatcher, each of which hangs in its first batch. */
  readonly hungConsumers: number
  /** Done on the database before the dispatcher runs. */
  readonly prepare?: (database: Redacted.Redacted) => Effect.Effect<void, never, Scope.Scope>
}

/** Waits until so many consumers have begun a batch, which they do not end. */
const hanging = Effect.fnUntraced(function* (consumers: number) {
  const sql = yield* SqlClient.SqlClient
  const begun = Effect.map(
    sql<{ readonly count: number }>`
      SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND state = 'idle in transaction'
    `,
    ([row]) => row!.count
  )
  while ((yield* begun) < consumers) yield* Effect.promise(() => setTimeout(100))
})

const work = Effect.fnUntraced(function* (
  url: Redacted.Redacted,
  count: number,
  beside: Beside | undefined
) {
  const sql = yield* SqlClient.SqlClient
  if (beside !== undefined) {
    yield* beside.prepare?.(url) ?? Effect.void
    yield* startDispatcher(url, beside.hungConsumers)
    yield* hanging(beside.hungConsumers)
  }
  const processes = yield* Effect.forEach(Array.from({ length: workers }), () =>
    start("../apps/billing-worker/src/main.ts", url)
  )
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
  const megabytes = Math.max(...processes.map(({ pid }) => Forked.peakOf(pid)))
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

/** Invoices so many policies of a product on a database of their own. */
export const run = Effect.fn("InvoiceRun.run")(function* (
  policies: number,
  beside?: Beside,
  product?: Product
) {
  const startedAt = fromEpochMillis(Date.now() - 3_600_000)
  const { database, policyId } = yield* PolicyWorld.make(startedAt, product)
  const superuser = yield* Sql.pool(database.superuserUrl, "postgres").pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, patient)
  )
  return yield* Effect.gen(function* () {
    yield* PolicyCopies.makeDue(policyId, policies)
    const { megabytes, perInvoice } = yield* work(database.url, policies, beside)
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
  const runs = yield* Effect.forEach(sizes, (size) => run(size))
  const [smallest] = runs
  const growth = runs.slice(1).map(({ perInvoice, policies }): Bar => ({
    what: `an invoice of ${policies} ÷ one of ${smallest!.policies}`,
    limit: 1.3,
    ratio: perInvoice / smallest!.perInvoice,
    micros: [smallest!.perInvoice, perInvoice]
  }))
  return [...runs.flatMap(barsOf), ...growth]
}, Effect.provide(Reactivity.layer))
