import { assert, layer } from "@effect/vitest"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import type { PolicySelection } from "@quittance/domain/portfolio/PolicySelection"
import { Product } from "@quittance/domain/products/Product"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { Context, Effect, Layer, Schema } from "effect"
import { Simulation, type SimulationRequest } from "../../src/portfolio/Simulation.ts"
import * as Clones from "../Clones.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"
import type { PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const TestLayer = Layer.provideMerge(Simulation.layer, Contracts.layer)

const edited = (product: Product, edit: (text: string) => string): Product =>
  Schema.decodeUnknownSync(Product)(JSON.parse(edit(JSON.stringify(product))))

/** The draft of the tests: a horse power that most have costs a tenth more. */
const dearer = edited(World.motor, (text) =>
  text.replace('"amount":26500', '"amount":29150').replace('"version":"', '"version":"next-')
)

const simulate = (world: World.World, request: Partial<SimulationRequest> = {}) => {
  const seen: Array<readonly [number, number]> = []
  const progress = (done: number, count: number) => Effect.sync(() => void seen.push([done, count]))
  return Simulation.use((simulation) =>
    simulation.run({ draft: dearer, selection: {}, term: "RUNNING", ...request }, progress)
  ).pipe(
    Effect.provideService(CurrentTenant, world.tenant),
    Effect.map((simulated) => ({ ...simulated, progress: seen }))
  )
}

const asSuperuser = Effect.fnUntraced(function* (world: World.World, id: PolicyId, status: string) {
  const sql = yield* SuperuserSql
  yield* sql`
    UPDATE policy SET status = ${status} WHERE tenant_id = ${world.tenant} AND id = ${id}
  `
})

layer(TestLayer)("a simulation of a draft", (it) => {
  it.effect("refuses a product that the tenant does not sell", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const draft = { ...dearer, productId: "other-fr" }
      const error = yield* Effect.flip(simulate(world, { draft }))
      assert.deepInclude(error, { _tag: "UnknownProduct", productId: "other-fr" })
    })
  )

  it.effect("finds nothing where there is nothing", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const { changes, count, largest, progress, unpriced } = yield* simulate(world)
      assert.deepStrictEqual([count, changes.count, unpriced.count, largest.length], [0, 0, 0, 0])
      assert.deepStrictEqual(progress, [[0, 0]])
    })
  )

  it.effect("prices what is signed and not stopped, and nothing of another tenant", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const other = yield* World.make()
      yield* Contracts.signed(other)
      yield* Contracts.confirmed(world)
      const live = yield* Contracts.signed(world)
      const stopped = yield* Contracts.signed(world)
      yield* asSuperuser(world, stopped.policyId, "POLICY_STOPPED")
      const { changes, count, largest } = yield* simulate(world)
      assert.strictEqual(count, 1)
      assert.strictEqual(changes.totalBefore, BigInt(live.premium))
      assert.deepStrictEqual(
        largest.map(({ policyId }) => policyId),
        [live.policyId]
      )
    })
  )

  it.effect("changes nothing with the version that is in force", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const { premium } = yield* Contracts.signed(world)
      const { changes, largest, versions } = yield* simulate(world, { draft: World.motor })
      assert.deepStrictEqual([changes.unchanged, changes.totalAfter], [1, BigInt(premium)])
      assert.deepStrictEqual(largest, [])
      assert.deepStrictEqual([...versions], [[World.motor.version, 1]])
    })
  )

  it.effect("tells the largest changes, with parts that sum to each", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const { policyId, premium } = yield* Contracts.signed(world)
      yield* Clones.make(world, policyId, 14)
      const { changes, largest } = yield* simulate(world)
      assert.strictEqual(changes.rises, 15)
      assert.lengthOf(largest, 10)
      const ids = largest.map((change) => change.policyId)
      assert.deepStrictEqual(ids, [...ids].sort())
      for (const { after, before, parts, productVersion } of largest) {
        assert.deepStrictEqual([before, productVersion], [premium, World.motor.version])
        assert.strictEqual(
          parts.reduce((sum, { change }) => sum + change, 0),
          after - before
        )
        assert.deepInclude(parts[0]!, { componentId: "RC", cause: "AMOUNT" })
      }
    })
  )

  it.effect("goes through more policies than it holds, and tells how far it is", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const { policyId, premium } = yield* Contracts.signed(world)
      yield* Clones.make(world, policyId, 249)
      const { changes, progress } = yield* simulate(world)
      assert.strictEqual(changes.totalBefore, 250n * BigInt(premium))
      assert.deepStrictEqual(progress, [
        [0, 250],
        [100, 250],
        [200, 250],
        [250, 250]
      ])
    })
  )

  it.effect("counts what the draft has no price for by its reasons", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const { policyId } = yield* Contracts.signed(world)
      const first = World.motor.fields.policy[0]!
      const asking: Product = {
        ...dearer,
        fields: {
          ...dearer.fields,
          policy: [...dearer.fields.policy, { ...first, key: "telematics", requiredFor: "QUOTE" }]
        }
      }
      const { changes, count, unpriced } = yield* simulate(world, { draft: asking })
      assert.deepStrictEqual([count, changes.count, unpriced.count], [1, 0, 1])
      assert.deepStrictEqual(unpriced.reasons, [
        {
          code: "INVALID_CUSTOM_FIELD",
          at: "/customFields/telematics",
          message: "Give a value; the product needs it to quote.",
          count: 1,
          examples: [policyId]
        }
      ])
    })
  )

  it.effect("has no price where a rule of the draft refers the risk to an underwriter", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      yield* Contracts.signed(world)
      const referring: Product = {
        ...dearer,
        rating: {
          ...dearer.rating,
          inputs: [
            ...dearer.rating.inputs,
            {
              id: "anyone",
              label: "Anyone",
              of: "POLICY",
              as: "EXPRESSION",
              expression: "bonusMalus >= 0",
              type: "BOOLEAN"
            }
          ]
        },
        derogations: [{ id: "ANYONE", label: "No risk is insured like that.", input: "anyone" }]
      }
      const { unpriced } = yield* simulate(world, { draft: referring })
      assert.deepInclude(unpriced.reasons[0]!, {
        code: "DEROGATION_REQUIRED",
        at: "/derogations/ANYONE",
        message: "No risk is insured like that."
      })
    })
  )

  it.effect("has no price in another currency than what is paid now", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      yield* Contracts.signed(world)
      const currency = Product.fields.currency.make("CHF")
      const { unpriced } = yield* simulate(world, { draft: { ...dearer, currency } })
      assert.deepInclude(unpriced.reasons[0]!, { code: "OTHER_CURRENCY", count: 1 })
    })
  )

  it.effect("prices the running term from its start, and the next one from its renewal", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      yield* Contracts.signed(world, { startedAt: World.at("2026-04-01T00:00:00+02:00") })
      const draft = { ...dearer, validFrom: "2027-01-01" as LocalDate }
      const running = yield* simulate(world, { draft })
      assert.deepInclude(running.unpriced.reasons[0]!, { code: "INVALID_EFFECTIVE_DATE" })
      const next = yield* simulate(world, { draft, term: "NEXT" })
      assert.deepStrictEqual([next.changes.rises, next.unpriced.count], [1, 0])
      const late = { ...dearer, validFrom: "2027-04-02" as LocalDate }
      const tooLate = yield* simulate(world, { draft: late, term: "NEXT" })
      assert.strictEqual(tooLate.unpriced.count, 1)
    })
  )
})

/** Policies that differ in what a selection can ask for. */
class Stock extends Context.Service<
  Stock,
  { readonly world: World.World; readonly policies: Readonly<Record<string, PolicyId>> }
>()("test/Stock") {
  static readonly layer = Layer.effect(
    Stock,
    Effect.suspend(() => stocked)
  )
}

const stocked = Effect.gen(function* () {
  const world = yield* World.make(World.at("2026-03-10T09:00:00Z"))
  const sign = (startedAt: string, brokerageFirm?: (typeof world.firms)["north"]) =>
    Effect.map(
      Contracts.signed(world, {
        startedAt: World.at(startedAt),
        ...(brokerageFirm === undefined ? {} : { policy: { brokerageFirm } })
      }),
      ({ policyId }) => policyId
    )
  const march = yield* sign("2026-03-15T00:00:00+01:00", world.firms.north)
  const april = yield* sign("2026-04-01T00:00:00+02:00", world.firms.south)
  const nextVersion = edited(World.motor, (text) => text.replace('"version":"', '"version":"b-'))
  yield* ProductsRepo.use((repo) =>
    repo.publish(nextVersion, World.at("2026-03-10T09:00:00Z"))
  ).pipe(
    (write) => TenantSql.use((tenantSql) => tenantSql.transaction(write)),
    Effect.provideService(CurrentTenant, world.tenant)
  )
  const may = yield* sign("2026-05-01T00:00:00+02:00")
  const suspended = yield* sign("2026-05-02T00:00:00+02:00")
  yield* asSuperuser(world, suspended, "POLICY_SUSPENDED")
  return Stock.of({ world, policies: { march, april, may, suspended } })
}).pipe(Effect.orDie)

layer(Layer.provideMerge(Stock.layer, TestLayer))("a selection of live policies", (it) => {
  const chosen = Effect.fnUntraced(function* (selection: PolicySelection) {
    const { policies, world } = yield* Stock
    const { largest } = yield* simulate(world, { selection })
    return Object.keys(policies).filter((name) =>
      largest.some(({ policyId }) => policyId === policies[name])
    )
  })

  it.effect("takes all, or those that fit every criterion", () =>
    Effect.gen(function* () {
      const { world } = yield* Stock
      const { north, south } = world.firms
      const day = (text: string) => text as LocalDate
      const next = `b-${World.motor.version}`
      assert.deepStrictEqual(yield* chosen({}), ["march", "april", "may", "suspended"])
      assert.deepStrictEqual(yield* chosen({ statuses: ["POLICY_SUSPENDED"] }), ["suspended"])
      assert.deepStrictEqual(yield* chosen({ statuses: ["POLICY_STARTED"] }), [])
      assert.deepStrictEqual(yield* chosen({ firmIds: [north] }), ["march"])
      assert.deepStrictEqual(yield* chosen({ firmIds: [north, south] }), ["march", "april"])
      assert.deepStrictEqual(yield* chosen({ productVersions: [next] }), ["may", "suspended"])
      const versions = [World.motor.version, next]
      assert.lengthOf(yield* chosen({ productVersions: versions }), 4)
      // Days are those of the product: in Paris 1 April begins while it still is March in London.
      assert.deepStrictEqual(yield* chosen({ startedAfter: day("2026-04-01") }), [
        "april",
        "may",
        "suspended"
      ])
      assert.deepStrictEqual(yield* chosen({ startedBefore: day("2026-04-01") }), ["march"])
      assert.deepStrictEqual(
        yield* chosen({
          productVersions: [next],
          startedAfter: day("2026-04-01"),
          startedBefore: day("2026-05-02")
        }),
        ["may"]
      )
    })
  )

  it.effect("samples the same policies each time, and a larger sample has those of a smaller", () =>
    Effect.gen(function* () {
      const one = yield* chosen({ sample: 1 })
      const three = yield* chosen({ sample: 3 })
      assert.lengthOf(one, 1)
      assert.lengthOf(three, 3)
      assert.includeMembers(three, one)
      assert.deepStrictEqual(yield* chosen({ sample: 3 }), three)
      assert.lengthOf(yield* chosen({ sample: 99 }), 4)
      assert.deepStrictEqual(yield* chosen({ sample: 1, statuses: ["POLICY_SUSPENDED"] }), [
        "suspended"
      ])
      assert.deepStrictEqual(yield* chosen({ sample: 1, statuses: ["POLICY_STARTED"] }), [])
    })
  )
})
