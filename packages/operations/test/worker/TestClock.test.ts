import { assert, layer } from "@effect/vitest"
import { type Caller, ClientId } from "@quittance/domain/requests/Caller"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Fiber, Ref } from "effect"
import { Policies } from "../../src/policies/Policies.ts"
import { TestClock } from "../../src/worker/TestClock.ts"
import * as Clones from "../Clones.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const client: Caller = {
  _tag: "Client",
  clientId: ClientId.make("test-admin"),
  scopes: new Set(["platform/admin"])
}

const move = (
  world: World.World,
  instant: string,
  caller: Caller = client,
  request: Parameters<typeof World.as>[2] = {}
) =>
  World.as(world, caller, request)(TestClock.use((clock) => clock.move({ now: World.at(instant) })))

/** Everything that happened in a tenant, in the order in which it was written. */
const happened = Effect.fnUntraced(function* (world: World.World) {
  const superuser = yield* SuperuserSql
  return yield* superuser<{
    readonly kind: string
    readonly policyId: string
    readonly occurredAt: Date
    readonly recordedAt: Date
  }>`
    SELECT kind, policy_id, occurred_at, recorded_at FROM event
    WHERE tenant_id = ${world.tenant} AND kind IN ('policy.start', 'invoice.issued')
    ORDER BY xmin::text::bigint, policy_id, seq
  `
})

layer(Contracts.layer, { excludeTestServices: true })("the test clock", (it) => {
  it.effect("does not exist in production", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const superuser = yield* SuperuserSql
      yield* superuser`
        UPDATE tenant SET environment = 'production', test_clock = NULL
        WHERE tenant_id = ${world.tenant}
      `
      const read = World.as(world, client)(TestClock.use((clock) => clock.read))
      const errors = [
        yield* Effect.flip(read),
        yield* Effect.flip(move(world, "2030-01-01T00:00:00Z"))
      ]
      assert.deepStrictEqual(
        errors.map(({ _tag }) => _tag),
        ["RouteNotFound", "RouteNotFound"]
      )
    })
  )

  it.effect("is moved by clients and managers, and by no one else", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      for (const caller of [world.auditor, world.north]) {
        const error = yield* Effect.flip(move(world, "2026-04-01T00:00:00Z", caller))
        assert.strictEqual(error._tag, "Forbidden")
      }
      const read = TestClock.use((clock) => clock.read)
      assert.strictEqual(
        (yield* World.as(world, world.auditor)(read)).now,
        World.at("2026-03-10T09:00:00Z")
      )
      yield* move(world, "2026-04-01T00:00:00Z", world.manager)
      assert.strictEqual(
        (yield* World.as(world, client)(read)).now,
        World.at("2026-04-01T00:00:00Z")
      )
    })
  )

  it.effect("never goes back, and standing still is no step back", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const error = yield* Effect.flip(move(world, "2026-03-10T08:59:59.999Z"))
      assert.strictEqual(error._tag, "InvalidEffectiveDate")
      if (error._tag === "InvalidEffectiveDate") {
        assert.deepStrictEqual(
          [error.field, error.earliest],
          ["now", World.at("2026-03-10T09:00:00Z")]
        )
      }
      assert.deepStrictEqual(yield* move(world, "2026-03-10T09:00:00Z"), {
        now: World.at("2026-03-10T09:00:00Z"),
        ran: {}
      })
    })
  )

  it.effect("starts from real time where a tenant has none", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      yield* Clones.onRealTime(world)
      const error = yield* Effect.flip(move(world, "2020-01-01T00:00:00Z"))
      assert.strictEqual(error._tag, "InvalidEffectiveDate")
      const clock = yield* TenantClockRepo
      const read = Effect.provideService(clock.read, CurrentTenant, world.tenant)
      assert.isFalse((yield* read).isTest)
      yield* move(world, "2999-01-01T00:00:00Z")
      assert.deepStrictEqual(yield* read, { now: World.at("2999-01-01T00:00:00Z"), isTest: true })
    })
  )

  it.effect("runs what falls due on the way in order across policies, each at its instant", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      for (const day of ["2026-04-20", "2026-04-05", "2026-04-12", "2026-04-05"]) {
        yield* Contracts.signed(world, { startedAt: World.at(`${day}T00:00:00+02:00`) })
      }
      const { ran } = yield* move(world, "2026-07-31T23:00:00Z")
      assert.deepStrictEqual(ran, { startPolicies: 4, issueInvoices: 16, noticePayers: 14 })
      const events = yield* happened(world)
      assert.strictEqual(events.length, 20)
      const occurred = events.map(({ occurredAt }) => occurredAt.toISOString())
      assert.deepStrictEqual(occurred, [...occurred].sort())
      for (const { occurredAt, recordedAt } of events) {
        assert.strictEqual(recordedAt.toISOString(), occurredAt.toISOString())
      }
      assert.deepStrictEqual(yield* move(world, "2026-07-31T23:00:00Z"), {
        now: World.at("2026-07-31T23:00:00Z"),
        ran: {}
      })
    })
  )

  it.effect("comes to the same in one move and in many", () =>
    Effect.gen(function* () {
      const steps = ["2026-04-01T00:00:00Z", "2026-04-30T21:59:59Z", "2026-04-30T22:00:00Z"]
      const target = "2026-09-01T00:00:00Z"
      const seen = yield* Effect.forEach([[target], [...steps, target]], (targets) =>
        Effect.gen(function* () {
          const world = yield* World.make()
          const contract = yield* Contracts.signed(world)
          for (const to of targets) yield* move(world, to)
          return (yield* Contracts.invoices(world, contract)).map(
            ({ dueOn, issuedAt, number, total }) => [
              number,
              issuedAt,
              dueOn,
              total.amountWithFeesAndTaxes
            ]
          )
        })
      )
      assert.deepStrictEqual(seen[0], seen[1])
      assert.strictEqual(seen[0]?.length, 6)
    })
  )

  it.effect(
    "runs what a signature brings at once, and what comes later when the clock gets there",
    () =>
      Effect.gen(function* () {
        const world = yield* World.make()
        const full = {
          frequency: "MONTHLY",
          timing: "IN_ADVANCE",
          firstPayment: "FULL_AT_SIGNATURE"
        }
        const contract = yield* Contracts.confirmed(world, {
          policy: { invoicingConfig: full as never }
        })
        assert.deepStrictEqual(yield* Contracts.invoices(world, contract), [])
        const policy = yield* Contracts.sign(world, contract)
        assert.strictEqual(policy.status, "POLICY_SIGNED")
        const [invoice, ...more] = yield* Contracts.invoices(world, contract)
        assert.deepStrictEqual(
          [invoice?.total.amountWithFeesAndTaxes, invoice?.issuedAt, more.length],
          [contract.premium, World.at("2026-03-10T09:00:00Z"), 0]
        )
        const { ran } = yield* move(world, "2027-04-02T00:00:00Z")
        // The next term is offered, agreed tacitly, and billed month by month.
        assert.deepStrictEqual(ran, {
          startPolicies: 1,
          renewPolicies: 2,
          issueInvoices: 1,
          noticePayers: 1
        })
      })
  )

  it.effect("starts a policy that is signed after its start with the signature itself", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const contract = yield* Contracts.confirmed(world, {
        startedAt: World.at("2026-01-15T00:00:00+01:00")
      })
      const policy = yield* Contracts.sign(world, contract)
      assert.deepStrictEqual(
        [policy.status, policy.startedAt],
        ["POLICY_STARTED", World.at("2026-01-14T23:00:00Z")]
      )
      const invoices = yield* Contracts.invoices(world, contract)
      assert.deepStrictEqual(
        invoices.map(({ issuedAt, period }) => [issuedAt, period.start]),
        [
          ["2026-03-10T09:00:00.000Z", "2026-01-15"],
          ["2026-03-10T09:00:00.000Z", "2026-02-15"]
        ]
      )
      assert.strictEqual(
        (yield* World.as(
          world,
          world.manager
        )(
          Policies.use(({ get }) =>
            get({ policyId: contract.policyId, whenAt: World.at("2026-02-01T00:00:00Z") })
          )
        )).status,
        "POLICY_STARTED"
      )
    })
  )

  it.effect("goes on where it was when the connection was cut, and does nothing twice", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const { policyId } = yield* Contracts.signed(world)
      const clones = yield* Clones.make(world, policyId, 9)
      const superuser = yield* SuperuserSql
      const cuts = yield* Ref.make(0)
      const cutter = yield* superuser`
        SELECT count(pg_terminate_backend(pid))::int AS cut FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_xid IS NOT NULL
      `.pipe(
        Effect.tap(([row]) => Ref.update(cuts, (sum) => sum + Number(row!["cut"]))),
        Effect.repeat({ until: () => Effect.map(Ref.get(cuts), (sum) => sum >= 10) }),
        Effect.forkChild
      )
      const stubborn = Effect.forever(
        Effect.catchCause(move(world, "2026-12-31T00:00:00Z"), () => Effect.void)
      )
      yield* Effect.raceFirst(stubborn, Fiber.join(cutter))
      yield* move(world, "2026-12-31T00:00:00Z")
      const events = yield* happened(world)
      assert.strictEqual(events.length, (clones.length + 1) * 10)
      for (const own of Map.groupBy(events, ({ policyId }) => policyId).values()) {
        assert.strictEqual(own.length, 10)
      }
    })
  )

  it.effect("is moved by two at once as if by one after the other", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const { policyId } = yield* Contracts.signed(world)
      yield* Clones.make(world, policyId, 19)
      const [near, far] = yield* Effect.all(
        [
          Effect.exit(move(world, "2026-05-15T00:00:00Z")),
          Effect.exit(move(world, "2026-08-15T00:00:00Z"))
        ],
        { concurrency: "unbounded" }
      )
      assert.strictEqual(far._tag, "Success")
      assert.strictEqual((yield* Contracts.now(world)).now, World.at("2026-08-15T00:00:00Z"))
      const jobs = [near, far].flatMap((exit) => (exit._tag === "Success" ? [exit.value.ran] : []))
      const issued = jobs.reduce((sum, { issueInvoices = 0 }) => sum + issueInvoices, 0)
      assert.strictEqual(issued, 20 * 5)
      assert.strictEqual((yield* happened(world)).length, 20 * 6)
    })
  )

  it.effect("answers a repeated request as the first time, and refuses its key for another", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      yield* Contracts.signed(world)
      const key = (fingerprint: string) => ({ idempotency: { key: "k", fingerprint } })
      const first = yield* move(world, "2026-05-02T00:00:00Z", client, key("a"))
      assert.deepStrictEqual(first.ran, { startPolicies: 1, issueInvoices: 2, noticePayers: 1 })
      yield* move(world, "2026-06-02T00:00:00Z")
      const again = yield* move(world, "2026-05-02T00:00:00Z", client, key("a"))
      assert.deepStrictEqual(again, first)
      const other = yield* Effect.flip(move(world, "2026-07-02T00:00:00Z", client, key("b")))
      assert.strictEqual(other._tag, "IdempotencyKeyReused")
      assert.strictEqual((yield* Contracts.now(world)).now, World.at("2026-06-02T00:00:00Z"))
    })
  )
})
