import { assert, layer } from "@effect/vitest"
import { Database } from "@quittance/persistence/sql/Database"
import { InvoicesRepo } from "@quittance/persistence/billing/InvoicesRepo"
import { DueRepo } from "@quittance/persistence/policies/DueRepo"
import * as MetricsRoutes from "@quittance/http/telemetry/MetricsRoutes"
import { freePort } from "@quittance/embedded-postgres/FreePort"
import { Tenants } from "@quittance/operations/provisioning/Tenants"
import { QueueMetrics } from "@quittance/operations/worker/QueueMetrics"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { OwnerSql, SuperuserSql } from "@quittance/testing/PgTest"
import { Duration, Effect, Fiber, Layer, Redacted } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { createInterface } from "node:readline"
import * as Clones from "../../../packages/operations/test/Clones.ts"
import * as Contracts from "../../../packages/operations/test/SoldPolicies.ts"
import * as World from "../../../packages/operations/test/World.ts"
import { BillingWorker } from "../src/BillingWorker.ts"
import * as Loop from "@quittance/operations/worker/Loop"
import type { PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const TestLayer = Layer.provideMerge(
  Layer.mergeAll(BillingWorker.layer, Tenants.layer),
  Contracts.layer
)

/** A tenant on real time with policies that have been due since April. */
const backlog = Effect.fnUntraced(function* (count: number) {
  const world = yield* World.make()
  const { policyId } = yield* Contracts.signed(world)
  const clones = yield* Clones.make(world, policyId, count - 1)
  yield* Clones.onRealTime(world)
  return { world, policyIds: [policyId, ...clones] }
})

type Backlog = Effect.Success<ReturnType<typeof backlog>>

const billed = ({ policyIds, world }: Backlog) =>
  InvoicesRepo.use((repo) => repo.ofPolicies(policyIds)).pipe(
    Effect.map((invoices) => new Set<PolicyId>(invoices.map(({ policyId }) => policyId)).size),
    Effect.provideService(CurrentTenant, world.tenant)
  )

const isDue = ({ world }: Backlog) =>
  Effect.map(
    DueRepo.use(({ tenants }) => tenants),
    (tenants) => tenants.find(({ tenantId }) => tenantId === world.tenant)?.isDue
  )

/** The worker as a process of its own, its log line by line. */
const start = Effect.fnUntraced(function* (env: Readonly<Record<string, string>>) {
  const { url } = yield* Database
  const port = String(yield* Effect.promise(freePort))
  const managementPort = String(yield* Effect.promise(freePort))
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(
        "node",
        ["--conditions=@quittance/source", new URL("../src/main.ts", import.meta.url).pathname],
        {
          env: {
            ...process.env,
            ENVIRONMENT: "sandbox",
            // Not those of the test runner.
            BASE_URL: "http://localhost:8080",
            AUTH_URL: "http://{tenant}.auth.localhost:8080",
            DATABASE_URL: Redacted.value(url),
            KEY_ENCRYPTION_KEY: randomBytes(32).toString("base64url"),
            PORT: port,
            MANAGEMENT_PORT: managementPort,
            ...env
          },
          stdio: ["ignore", "pipe", "inherit"]
        }
      )
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )
  return {
    child,
    port,
    managementPort,
    lines: createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
  }
})

const says = (worker: { readonly lines: AsyncIterator<string> }, text: string) =>
  Effect.promise(async () => {
    const said: Array<string> = []
    for (;;) {
      const { done, value } = await worker.lines.next()
      if (done === true)
        throw new Error(`The worker ended before it said ${text}: ${said.join("\n")}`)
      said.push(value)
      if (value.includes(text)) return value
    }
  })

const stopped = (child: ChildProcess, signal: NodeJS.Signals) =>
  Effect.promise(async () => {
    const exit = once(child, "exit")
    child.kill(signal)
    return (await exit)[0] as number | null
  })

/** What a scrape would see; measured anew, however short ago that was done. */
const measured = Effect.gen(function* () {
  yield* Effect.provide(
    QueueMetrics.use(({ measure }) => measure),
    Layer.fresh(QueueMetrics.layer)
  )
  const lines = (yield* MetricsRoutes.text).split("\n")
  return Object.fromEntries(
    lines
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))])
  ) as Readonly<Record<string, number>>
})

layer(TestLayer, { excludeTestServices: true })("the worker", (it) => {
  it.effect("does a round for every tenant with work, also when one of them fails", () =>
    Effect.gen(function* () {
      const [first, broken, last] = [yield* backlog(3), yield* backlog(3), yield* backlog(3)]
      const owner = yield* OwnerSql
      // The database fails for one tenant alone, and not by what was decided for it.
      yield* owner.unsafe(`
        CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
          'BEGIN RAISE EXCEPTION USING ERRCODE = ''53100'', MESSAGE = ''disk full''; END'
      `)
      yield* owner.unsafe(`
        CREATE TRIGGER broken BEFORE INSERT ON invoice FOR EACH ROW
        WHEN (NEW.tenant_id = '${broken.world.tenant}') EXECUTE FUNCTION fail()
      `)
      const worker = yield* BillingWorker
      assert.isFalse(yield* worker.round)
      assert.deepStrictEqual(yield* Effect.forEach([first, broken, last], billed), [3, 0, 3])
      assert.deepStrictEqual(yield* Effect.forEach([first, broken, last], isDue), [
        false,
        true,
        false
      ])
      yield* owner.unsafe("DROP TRIGGER broken ON invoice")
      yield* worker.round
      assert.strictEqual(yield* billed(broken), 3)
    })
  )

  it.effect("leaves a disabled tenant alone, and catches up once it is enabled", () =>
    Effect.gen(function* () {
      const [work, other] = [yield* backlog(3), yield* backlog(2)]
      const setDisabled = (disabled: boolean) =>
        Tenants.use((tenants) => tenants.setDisabled(disabled)).pipe(
          Effect.provideService(CurrentTenant, work.world.tenant)
        )
      yield* setDisabled(true)
      assert.isUndefined(yield* isDue(work))
      assert.strictEqual((yield* measured)["quittance_billing_backlog"], 2)
      const worker = yield* BillingWorker
      assert.isFalse(yield* worker.round)
      assert.deepStrictEqual(yield* Effect.forEach([work, other], billed), [0, 2])
      yield* setDisabled(false)
      assert.isTrue(yield* isDue(work))
      yield* worker.round
      assert.strictEqual(yield* billed(work), 3)
      // What is done late takes effect when it was due.
      const sql = yield* SuperuserSql
      const late = yield* sql<{ readonly late: boolean }>`
        SELECT effective_at < now() - interval '1 day' AS late FROM policy_change
        WHERE tenant_id = ${work.world.tenant} AND recorded_at > now() - interval '1 hour'
      `
      assert.isNotEmpty(late)
      assert.isTrue(late.every(({ late }) => late))
    })
  )

  it.effect("finishes the batch that is under way when it is interrupted", () =>
    Effect.gen(function* () {
      const work = yield* backlog(20)
      const { round } = yield* BillingWorker
      const loop = yield* Loop.make({ name: "billing", pause: Duration.seconds(5), round })
      const fiber = yield* Effect.forkChild(loop.run)
      yield* Effect.repeat(writing, { until: (count) => count > 0 })
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(yield* billed(work), 20)
    })
  )

  it.effect("says what waits, since when, what is parked, and what it has done", () =>
    Effect.gen(function* () {
      const [work, aside] = [yield* backlog(3), yield* backlog(2)]
      const park = DueRepo.use((due) =>
        due.park(aside.policyIds[0]!, "A test.", World.at("2026-05-01"))
      )
      yield* TenantSql.use((sql) => sql.transaction(park)).pipe(
        Effect.provideService(CurrentTenant, aside.world.tenant)
      )
      const before = yield* measured
      assert.strictEqual(before["quittance_billing_backlog"], 4)
      assert.strictEqual(before["quittance_billing_parked"], 1)
      assert.isAbove(before["quittance_billing_oldest_due_seconds"]!, 0)
      yield* BillingWorker.use((worker) => worker.round)
      const after = yield* measured
      assert.strictEqual(after["quittance_billing_backlog"], 0)
      assert.strictEqual(after["quittance_billing_oldest_due_seconds"], 0)
      const started = 'quittance_billing_steps_total{job="startPolicies"}'
      assert.strictEqual(after[started]! - (before[started] ?? 0), 4)
      assert.strictEqual(yield* billed(work), 3)
    })
  )

  it.effect("shows its metrics without a token on a port of its own", () =>
    Effect.gen(function* () {
      const { managementPort, port } = yield* Effect.tap(start({}), (worker) =>
        // One line for each of its two ports.
        Effect.andThen(says(worker, " on http"), says(worker, " on http"))
      )
      const outside = yield* Effect.promise(() => fetch(`http://127.0.0.1:${port}/metrics`))
      assert.strictEqual(outside.status, 401)
      const answer = yield* Effect.promise(() =>
        fetch(`http://127.0.0.1:${managementPort}/metrics`)
      )
      assert.strictEqual(answer.status, 200)
      assert.match(answer.headers.get("content-type")!, /^text\/plain/u)
      assert.include(yield* Effect.promise(() => answer.text()), "quittance_billing_backlog ")
    }).pipe(Effect.scoped)
  )

  it.effect("runs as a process, beside another, until it is told to stop", () =>
    Effect.gen(function* () {
      const work = yield* backlog(50)
      const workers = yield* Effect.all([
        start({ BILLING_POLL_INTERVAL: "50 millis" }),
        start({ BILLING_POLL_INTERVAL: "50 millis" })
      ])
      // A process that is told to stop before it listens for that ends without a code.
      yield* Effect.forEach(workers, (worker) => says(worker, " on http"))
      yield* Effect.raceFirst(
        says(workers[0], "Ran what was due"),
        says(workers[1], "Ran what was due")
      )
      const codes = yield* Effect.forEach(workers, ({ child }) => stopped(child, "SIGTERM"))
      assert.deepStrictEqual(codes, [0, 0])
      assert.strictEqual(yield* billed(work), 50)
    }).pipe(Effect.scoped)
  )
})

/** How many transactions have begun to write at this moment. */
const writing = Effect.gen(function* () {
  const superuser = yield* SuperuserSql
  const [row] = yield* superuser<{ readonly count: number }>`
    SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND backend_xid IS NOT NULL
  `
  return row!.count
})
