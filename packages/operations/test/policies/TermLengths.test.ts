import { assert, layer } from "@effect/vitest"
import type { Duration } from "@quittance/domain/values/Duration"
import { Effect, Layer } from "effect"
import { Policies } from "../../src/policies/Policies.ts"
import { Preview } from "../../src/quotes/Preview.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"

const { motor } = World
const yearAlone = { ...motor, otherTermLengths: "REFUSED" } as const

const years = (amount: number): Duration => ({ amount, unit: "YEAR" })

const preview = (world: World.World, periodDuration: Duration) => {
  return World.as(
    world,
    world.manager
  )(
    Preview.use((previews) =>
      previews.quote({
        productId: motor.productId,
        startedAt: World.at("2026-04-01T00:00:00+02:00"),
        periodDuration,
        customFields: World.examples(motor.fields.policy),
        customers: [
          {
            role: "POLICYHOLDER",
            customFields: World.examples(motor.fields.customer, "POLICYHOLDER")
          }
        ],
        assets: [{ customFields: World.examples(motor.fields.asset) }]
      })
    )
  )
}

const open = (world: World.World, periodDuration?: Duration) =>
  World.as(
    world,
    world.manager
  )(
    Policies.use((policies) =>
      policies.create({
        productId: motor.productId,
        ...(periodDuration === undefined ? {} : { periodDuration })
      })
    )
  )

const TestLayer = Layer.provideMerge(Preview.layer, Contracts.layer)

layer(TestLayer, { excludeTestServices: true })("a term of another length", (it) => {
  it.effect("is refused where the product says so: opened, changed and previewed", () =>
    Effect.gen(function* () {
      const world = yield* World.make(undefined, [yearAlone])
      const { id: policyId } = yield* open(world)
      const change = (periodDuration: Duration) =>
        World.as(
          world,
          world.manager
        )(Policies.use((policies) => policies.update({ policyId }, { periodDuration })))
      const errors = [
        yield* Effect.flip(open(world, years(10))),
        yield* Effect.flip(change({ amount: 6, unit: "MONTH" })),
        yield* Effect.flip(preview(world, { amount: 30, unit: "DAY" }))
      ]
      for (const { _tag, message } of errors) {
        assert.strictEqual(_tag, "InvalidInvoicingConfig")
        assert.include(message, "1 YEAR")
      }
      yield* change({ amount: 12, unit: "MONTH" })
      yield* preview(world, years(1))
    })
  )

  it.effect("costs as much in proportion elsewhere", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const net = (periodDuration: Duration) =>
        Effect.map(preview(world, periodDuration), ({ selectedTier }) =>
          selectedTier!.perils.map(({ premium }) => premium.amountPreFeesAndTaxes)
        )
      const year = yield* net(years(1))
      assert.deepStrictEqual(
        yield* net(years(10)),
        year.map((amount) => 10 * amount)
      )
    })
  )
})
