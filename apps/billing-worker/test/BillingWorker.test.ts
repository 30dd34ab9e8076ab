import { assert, layer } from "@effect/vitest"
import type { PolicyId } from "@quittance/domain/Policy"
import { CurrentTenant } from "@quittance/domain/Tenant"
import { Database } from "@quittance/persistence/Database"
import { DocumentsRepo } from "@quittance/persistence/DocumentsRepo"
import { DueRepo } from "@quittance/persistence/DueRepo"
import { OwnerSql, SuperuserSql } from "@quittance/persistence/testing/PgTest"
import { Effect, Fiber, Layer, Redacted } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { type AddressInfo, createServer } from "node:net"
import { createInterface } from "node:readline"
import * as Clones from "../../../packages/operations/test/Clones.ts"
import * as Contracts from "../../../packages/operations/test/Contracts.ts"
import * as World from "../../../packages/operations/test/World.ts"
import { BillingWorker } from "../src/BillingWorker.ts"

const TestLayer = Layer.provideMerge(BillingWorker.layerService, Contracts.layer)

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
  DocumentsRepo.use((repo) => repo.ofPolicies(policyIds)).pipe(
    Effect.map((documents) => new Set<PolicyId>(documents.map(({ policyId }) => policyId)).size),
    Effect.provideService(CurrentTenant, world.tenant)
  )

const isDue = ({ world }: Backlog) =>
  Effect.map(
    DueRepo.use(({ tenants }) => tenants),
    (tenants) => tenants.find(({ tenantId }) => tenantId === world.tenant)?.isDue
  )

const freePort = Effect.promise(async () => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  // A server that listens on a port has an address with one.
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, "close")
  return String(port)
})

/** The worker as a process of its own, its log line by line. */
const start = Effect.fnUntraced(function* (env: Readonly<Record<string, string>>) {
  const { url } = yield* Database
  const port = yield* freePort
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(
        "node",
        ["--conditions=@quittance/source", new URL("../src/main.ts", import.meta.url).pathname],
        {
          env: {
            ...process.env,
            DATABASE_URL: Redacted.value(url),
            KEY_ENCRYPTION_KEY: "k".repeat(43),
            PORT: port,
            ...env
          },
          stdio: ["ignore", "pipe", "inherit"]
        }
      )
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )
  return { child, lines: createInterface({ input: child.stdout! })[Symbol.asyncIterator]() }
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
        CREATE TRIGGER broken BEFORE INSERT ON document FOR EACH ROW
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
      yield* owner.unsafe("DROP TRIGGER broken ON document")
      yield* worker.round
      assert.strictEqual(yield* billed(broken), 3)
    })
  )

  it.effect("finishes the batch that is under way when it is interrupted", () =>
    Effect.gen(function* () {
      const work = yield* backlog(20)
      const worker = yield* BillingWorker
      const fiber = yield* Effect.forkChild(worker.run)
      yield* Effect.repeat(writing, { until: (count) => count > 0 })
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(yield* billed(work), 20)
    })
  )

  it.effect("runs as a process, beside another, until it is told to stop", () =>
    Effect.gen(function* () {
      const work = yield* backlog(50)
      const workers = yield* Effect.all([
        start({ BILLING_POLL_INTERVAL: "50 millis" }),
        start({ BILLING_POLL_INTERVAL: "50 millis" })
      ])
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
