import { assert, layer } from "@effect/vitest"
import { DunningRepo } from "@quittance/persistence/dunning/DunningRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Effect, Layer } from "effect"
import { Moratoriums } from "../../src/dunning/Moratoriums.ts"
import { Policies } from "../../src/policies/Policies.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const TestLayer = Layer.mergeAll(DunningRepo.layer, Moratoriums.layer).pipe(
  Layer.provideMerge(Contracts.layer)
)

const reason = "Floods"
const at = World.at

/** Two policies with unpaid monthly premiums; without a moratorium cover stops on 23 May 2026. */
const unpaid = Effect.gen(function* () {
  const home = { ...World.motor, productId: "motor-two" }
  const world = yield* World.make(undefined, [World.motor, home])
  const run = Effect.provideService(CurrentTenant, world.tenant)
  yield* TenantSql.use((sql) =>
    sql.transaction(DunningRepo.use((dunning) => dunning.setDispatch("SIMULATED_POST")))
  ).pipe(run)
  const lifecycle = [
    yield* Contracts.signed(world),
    yield* Contracts.signed(world, { product: home })
  ]
  const statuses = Effect.forEach(lifecycle, ({ policyId }) =>
    World.as(
      world,
      world.manager
    )(Policies.use((policies) => policies.get({ policyId }))).pipe(
      Effect.map(({ status, suspendedAt }) => [status, suspendedAt] as const)
    )
  )
  return { world, run, statuses, productId: home.productId }
})

const started = ["POLICY_STARTED", undefined] as const

layer(TestLayer, { excludeTestServices: true })("a moratorium", (it) => {
  it.effect("begins neither in the past nor after its end, and for products that are sold", () =>
    Effect.gen(function* () {
      const { run } = yield* unpaid
      const to = at("2026-09-01T00:00:00Z")
      const place = (input: object) =>
        run(Effect.flip(Moratoriums.use(({ place }) => place({ to, reason, ...input }))))
      const errors = [
        yield* place({ from: at("2026-03-10T08:59:59Z") }),
        yield* place({ from: to }),
        yield* place({ productIds: ["motor-three"] })
      ]
      assert.deepStrictEqual(
        errors.map(({ _tag }) => _tag),
        ["InvalidEffectiveDate", "InvalidEffectiveDate", "UnknownProduct"]
      )
    })
  )

  it.effect("keeps steps away until its end, from the policies of the products that it names", () =>
    Effect.gen(function* () {
      const { productId, run, statuses, world } = yield* unpaid
      const to = at("2026-09-01T00:00:00Z")
      const from = at("2026-05-01T00:00:00Z")
      const input = { from, to, reason, productIds: [productId] }
      yield* run(Moratoriums.use(({ place }) => place(input)))
      yield* Contracts.moveTo(world, "2026-08-31T23:59:59Z")
      const suspended = ["POLICY_SUSPENDED", at("2026-05-23T00:00:00+02:00")] as const
      assert.deepEqual<unknown>(yield* statuses, [suspended, started])
      yield* Contracts.moveTo(world, "2026-09-01T00:00:00Z")
      assert.deepEqual<unknown>(yield* statuses, [suspended, ["POLICY_SUSPENDED", to]] as const)
    })
  )

  it.effect("that is lifted lets happen now what it kept from happening, and nothing before", () =>
    Effect.gen(function* () {
      const { run, statuses, world } = yield* unpaid
      const to = at("2026-09-01T00:00:00Z")
      const { id } = yield* run(Moratoriums.use(({ place }) => place({ to, reason })))
      yield* Contracts.moveTo(world, "2026-06-01T10:00:00Z")
      assert.deepEqual<unknown>(yield* statuses, [started, started])
      const lift = run(Moratoriums.use((moratoriums) => moratoriums.lift(id)))
      yield* lift
      const [lifted] = yield* run(Moratoriums.use(({ list }) => list))
      assert.strictEqual(lifted!.to, at("2026-06-01T10:00:00Z"))
      yield* Contracts.moveTo(world, "2026-07-02T00:00:00+02:00")
      // The notices went on the day on which they could, and thirty days pass from there.
      const suspended = ["POLICY_SUSPENDED", at("2026-07-02T00:00:00+02:00")] as const
      assert.deepEqual<unknown>(yield* statuses, [suspended, suspended])
      assert.strictEqual((yield* Effect.flip(lift))._tag, "HoldNotFound")
    })
  )
})
