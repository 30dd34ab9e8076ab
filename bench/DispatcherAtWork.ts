/** A dispatcher as it runs: how long an event takes to its receiver, and what memory hanging receivers cost. */
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"
import { example } from "@quittance/domain/values/PrefixedId"
import { EventsRepo } from "@quittance/persistence/requests/EventsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { sandboxTenant } from "@quittance/testing/SandboxTenant"
import { Effect, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { readFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { type Receiver, rewind, until } from "./Deliverable.ts"
import * as Endpoints from "./Endpoints.ts"
import type { Bar } from "./Interleaved.ts"
import * as InvoiceRun from "./InvoiceRun.ts"
import { sized } from "./Smoke.ts"

const perSecond = 200
const ticks = sized(200, 10)
const perTick = perSecond / 20

const quantile = (sorted: ReadonlyArray<number>, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!

/** From the commit to the receiver, at 200 events a second, by a dispatcher as it runs. */
const latency = Effect.fn("DispatcherAtWork.latency")(function* (receiver: Receiver) {
  const tenant = TenantId.make("timed")
  const tenantSql = yield* TenantSql
  yield* tenantSql
    .transaction(TenantsRepo.use((repo) => repo.insert(sandboxTenant(tenant))))
    .pipe(Effect.provideService(CurrentTenant, tenant))
  yield* Endpoints.create(tenant, {
    url: `${receiver.url}/timed`,
    types: ["user.*"],
    concurrency: 32,
    perSecond: 1000,
    from: "BEGINNING"
  })
  const committed = new Map<string, number>()
  const userId = example("user")
  const record = Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
    const events = names.map((subject) => ({
      kind: "user.update" as const,
      subject,
      payload: { userId }
    }))
    yield* tenantSql
      .transaction(EventsRepo.use((repo) => repo.insertOfRecords(events)))
      .pipe(Effect.provideService(CurrentTenant, tenant))
    for (const name of names) committed.set(name, Date.now())
  })
  const arrived = (goal: number) => until(receiver, goal)
  const { count } = yield* receiver.ask("count")
  // Until the dispatcher is there.
  yield* record(["client:first"])
  yield* arrived(count + 1)
  yield* receiver.ask("arrivals")
  const started = Date.now()
  for (let tick = 0; tick < ticks; tick++) {
    const wait = started + tick * 50 - Date.now()
    if (wait > 0) yield* Effect.promise(() => sleep(wait))
    yield* record(Array.from({ length: perTick }, (_, n) => `client:t-${tick}-${n}`))
  }
  yield* arrived(count + 1 + ticks * perTick)
  const { arrivals } = yield* receiver.ask("arrivals")
  const waits = arrivals
    .map(([subject, at]) => Math.max(0, at - committed.get(subject)!) * 1000)
    .toSorted((a, b) => a - b)
  const bar = (what: string, share: number, limit: number): Bar => ({
    what: `from the commit to the receiver at ${perSecond} events a second, ${what}`,
    limit: 1,
    ratio: quantile(waits, share) / limit,
    micros: [limit, quantile(waits, share)]
  })
  return [bar("p50", 0.5, 150_000), bar("p99", 0.99, 1_000_000)]
})

const residentMegabytes = (pid: number | undefined): number => {
  const [, kilobytes] = /VmRSS:\s+(\d+)/u.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? []
  return Number(kilobytes) / 1024
}

const hangingSeconds = sized(30, 1)

/** The memory of a dispatcher all of whose receivers hang, against what it was before. */
const memory = Effect.fn("DispatcherAtWork.memory")(function* (
  receiver: Receiver,
  pid: number | undefined
) {
  const sql = yield* SqlClient.SqlClient
  const before = residentMegabytes(pid)
  yield* sql`UPDATE webhook SET url = ${`${receiver.url}/hang`}`
  yield* rewind
  yield* sql`UPDATE webhook_stream SET is_enabled = true`
  let most = before
  for (let second = 0; second < hangingSeconds; second++) {
    yield* Effect.promise(() => sleep(1000))
    most = Math.max(most, residentMegabytes(pid))
  }
  yield* receiver.ask("release")
  return {
    what: `the memory of a sender whose receivers never answer, over ${hangingSeconds} s: 50 MB more`,
    limit: 1,
    ratio: (most - before) / 50,
    unit: "MB",
    micros: [before, most]
  } satisfies Bar
})

/** Bars of a dispatcher on a database; `superuser` sees all tenants. */
export const bars = Effect.fn("DispatcherAtWork.bars")(function* (
  receiver: Receiver,
  url: Redacted.Redacted,
  superuser: SqlClient.SqlClient
) {
  const { pid } = yield* InvoiceRun.startDispatcher(url, 0)
  const arrivals = yield* latency(receiver)
  const held = yield* Effect.provideService(memory(receiver, pid), SqlClient.SqlClient, superuser)
  return [...arrivals, held]
}, Effect.scoped)
