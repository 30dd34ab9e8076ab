import { assert, layer } from "@effect/vitest"
import { CurrentTenant, type TenantId } from "@quittance/domain/requests/Tenancy"
import type { DueItemOutcome } from "@quittance/domain/requests/DueItem"
import { type Caller, ClientId } from "@quittance/domain/requests/Caller"
import type { Instant } from "@quittance/domain/values/Instant"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { DueDirectory } from "@quittance/persistence/tenants/DueDirectory"
import { DueItemsRepo } from "@quittance/persistence/tenants/DueItemsRepo"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Layer } from "effect"
import { type DueItemHandler, DueItemHandlers } from "../../src/tenants/DueItemHandlers.ts"
import { DueItems } from "../../src/worker/DueItems.ts"
import { TestClock } from "../../src/worker/TestClock.ts"
import * as Clones from "../Clones.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"

const client: Caller = {
  _tag: "Client",
  clientId: ClientId.make("test-admin"),
  scopes: new Set(["platform/admin"])
}

/** Which records ran, and when, of each tenant; records named `broken` fail, and `long` takes three runs. */
const runs = new Map<TenantId, Array<readonly [string, Instant]>>()

const makeFiles = Layer.effect(
  DueItemHandlers,
  Effect.map(TenantClockRepo, (clock): ReadonlyArray<DueItemHandler> => [
    {
      kind: "makeFiles",
      run: Effect.fnUntraced(function* (recordId) {
        const tenant = yield* CurrentTenant
        const { now } = yield* clock.read
        const ran = runs.get(tenant) ?? []
        runs.set(tenant, [...ran, [recordId, now]])
        if (recordId === "broken") return yield* Effect.die(new Error("no room"))
        const outcome: DueItemOutcome =
          recordId === "long" && ran.filter(([id]) => id === "long").length < 2 ? "MORE" : "DONE"
        return outcome
      })
    }
  ])
).pipe(Layer.provide(TenantClockRepo.layer))

// Made once more, with these handlers, beside those of the programs.
const TestLayer = Layer.fresh(Layer.merge(DueItems.layer, TestClock.layer)).pipe(
  Layer.provide(makeFiles),
  Layer.provideMerge([DueDirectory.layer, DueItemsRepo.layer]),
  Layer.provideMerge(Contracts.layer)
)

const inTenant =
  ({ tenant }: World.World) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    TenantSql.use((sql) => sql.transaction(effect)).pipe(
      Effect.provideService(CurrentTenant, tenant)
    )

const schedule = (world: World.World, recordId: string, dueAt: string) =>
  inTenant(world)(
    DueItemsRepo.use((repo) =>
      repo.schedule([{ kind: "makeFiles", recordId, dueAt: World.at(dueAt) }])
    )
  )

const move = (world: World.World, instant: string) =>
  World.as(world, client)(TestClock.use((clock) => clock.move({ now: World.at(instant) })))

const waiting = Effect.fnUntraced(function* ({ tenant }: World.World) {
  const superuser = yield* SuperuserSql
  return yield* superuser<{ readonly recordId: string; readonly attempts: number }>`
    SELECT record_id, attempts FROM due_item WHERE tenant_id = ${tenant} ORDER BY record_id
  `
})

layer(TestLayer, { excludeTestServices: true })("records that fall due", (it) => {
  it.effect("run in the order of their times on the way of the test clock", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      yield* schedule(world, "second", "2026-04-02T10:00:00Z")
      yield* schedule(world, "first", "2026-04-01T10:00:00Z")
      yield* schedule(world, "later", "2026-05-01T10:00:00Z")
      const { ran } = yield* move(world, "2026-04-03T00:00:00Z")
      assert.deepStrictEqual(ran, { makeFiles: 2 })
      assert.deepStrictEqual(runs.get(world.tenant), [
        ["first", World.at("2026-04-01T10:00:00Z")],
        ["second", World.at("2026-04-02T10:00:00Z")]
      ])
      assert.deepStrictEqual(yield* waiting(world), [{ recordId: "later", attempts: 0 }])
    })
  )

  it.effect("run as often as they say, and are tried again where they fail", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      yield* schedule(world, "long", "2026-04-01T10:00:00Z")
      yield* schedule(world, "broken", "2026-04-01T10:00:00Z")
      const { ran } = yield* move(world, "2026-04-01T10:03:00Z")
      // At once, one minute later and two minutes after that.
      assert.deepStrictEqual(ran, { makeFiles: 6 })
      assert.deepStrictEqual(yield* waiting(world), [{ recordId: "broken", attempts: 3 }])
    })
  )

  it.effect("run at the earlier of two times, and once", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      yield* schedule(world, "twice", "2026-05-01T10:00:00Z")
      yield* schedule(world, "twice", "2026-04-01T10:00:00Z")
      yield* schedule(world, "twice", "2026-06-01T10:00:00Z")
      assert.deepStrictEqual((yield* move(world, "2026-07-01T00:00:00Z")).ran, { makeFiles: 1 })
    })
  )

  it.effect("are claimed by one of two workers, and wait once scheduled meanwhile", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      yield* Clones.onRealTime(world)
      const repo = yield* DueItemsRepo
      const now = World.at("2026-04-01T10:00:00Z")
      for (let round = 0; round < 6; round++) {
        const names = [0, 1, 2, 3, 4].map((index) => `round-${round}-${index}`)
        for (const name of names) yield* schedule(world, name, "2026-04-01T10:00:00Z")
        const claimed = yield* Effect.all(
          ["one", "two", "three"].map((token) =>
            inTenant(world)(repo.claim(["makeFiles"], now, token, 3))
          ),
          { concurrency: "unbounded" }
        )
        const taken = claimed.flat().map(({ recordId }) => recordId)
        assert.strictEqual(new Set(taken).size, taken.length)
        const [again] = names
        yield* schedule(world, again!, "2026-04-01T10:00:00Z")
        for (const token of ["one", "two", "three"]) {
          for (const recordId of names) {
            yield* inTenant(world)(repo.finish({ kind: "makeFiles", recordId }, token))
          }
        }
        const left = (yield* waiting(world)).map(({ recordId }) => recordId)
        assert.include(left, again)
        for (const recordId of left) {
          yield* inTenant(world)(repo.take({ kind: "makeFiles", recordId }, "last"))
          yield* inTenant(world)(repo.finish({ kind: "makeFiles", recordId }, "last"))
        }
      }
      assert.deepStrictEqual(yield* waiting(world), [])
    })
  )

  it.effect("bring the worker to their tenant, and leave nothing behind in the directory", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      yield* schedule(world, "real", "2026-04-01T10:00:00Z")
      const superuser = yield* SuperuserSql
      const entries = superuser`SELECT FROM due_tenant WHERE tenant_id = ${world.tenant}`
      assert.strictEqual((yield* entries).length, 1)
      yield* Clones.onRealTime(world)
      const { ran } = yield* Effect.provideService(
        DueItems.use(({ runBatch }) => runBatch),
        CurrentTenant,
        world.tenant
      )
      assert.deepStrictEqual(ran, { makeFiles: 1 })
      yield* inTenant(world)(DueDirectory.use(({ settle }) => settle))
      assert.strictEqual((yield* entries).length, 0)
    })
  )
})
