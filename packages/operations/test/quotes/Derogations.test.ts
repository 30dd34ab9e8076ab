/** Risks that a product refers to an underwriter: they are quoted, and not sold. */
import { assert, layer } from "@effect/vitest"
import { exampleOf } from "@quittance/domain/products/ProductExamples"
import type { FieldValues } from "@quittance/domain/products/ProductFields"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { shippedProduct } from "@quittance/testing/ShippedProducts"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Preview } from "../../src/quotes/Preview.ts"
import { Policies } from "../../src/policies/Policies.ts"
import { Sales } from "../../src/lifecycle/PolicySale.ts"
import { Quotes } from "../../src/quotes/Quotes.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"
import type { PolicyId } from "@quittance/domain/values/Ids"

const fleet = shippedProduct("fleet-fr")

const TestLayer = Layer.provideMerge(Preview.layer, Contracts.layer)

const list = (values: FieldValues) => Object.entries(values).map(([key, value]) => ({ key, value }))

const poorResults = { premiumsPaid: 1_000_000, claimsPaid: 2_010_000 }
const lossRatio = { id: "LOSS_RATIO", label: "Les sinistres dépassent le double des primes" }

const onlyPolicy = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tenantSql = yield* TenantSql
  const rows = yield* tenantSql.read(sql<{ readonly id: PolicyId }>`SELECT id FROM policy`)
  assert.lengthOf(rows, 1)
  return rows[0]!.id
})

layer(TestLayer)("a risk that a rule of the product refers", (it) => {
  it.effect("is shown as such by a preview, rule by rule, and only where a rule applies", () =>
    Effect.gen(function* () {
      const world = yield* World.make(undefined, [fleet])
      const preview = yield* Preview
      const { assets, customers, customFields } = exampleOf(fleet)
      const ask = (policy: FieldValues, value: number) =>
        World.as(
          world,
          world.manager
        )(
          preview.quote({
            productId: fleet.productId,
            customFields: list({ ...customFields, ...policy }),
            customers: customers.map(({ customFields, role }) => ({
              role,
              customFields: list(customFields)
            })),
            assets: [100_000, value].map((value) => ({
              customFields: list({ ...assets[0]!.customFields, value })
            }))
          })
        ).pipe(Effect.map(({ derogations }) => derogations?.map(({ id }) => id)))
      assert.isUndefined(yield* ask({}, 100_000))
      assert.deepStrictEqual(yield* ask(poorResults, 100_000), ["LOSS_RATIO"])
      assert.deepStrictEqual(yield* ask({}, 20_000_000), ["VALUABLE_VEHICLE"])
      assert.deepStrictEqual(yield* ask(poorResults, 20_000_000), [
        "LOSS_RATIO",
        "VALUABLE_VEHICLE"
      ])
    })
  )

  it.effect("is quoted and not confirmed, until what the rule objects to has changed", () =>
    Effect.gen(function* () {
      const world = yield* World.make(undefined, [fleet])
      const policies = yield* Policies
      const quotes = yield* Quotes
      const run = World.as(world, world.manager)
      const fields = World.examples(fleet.fields.policy)
      const policy = {
        customFields: fields.map(({ key, value }) => ({
          key,
          value: key in poorResults ? poorResults[key as keyof typeof poorResults] : value
        }))
      }
      const refused = yield* Effect.flip(Contracts.confirmed(world, { product: fleet, policy }))
      assert.deepInclude(refused, { _tag: "DerogationRequired", derogations: [lossRatio] })
      // The policy that was refused is the tenant's only one.
      const policyId = yield* run(onlyPolicy)
      const quoted = yield* run(quotes.calculate({ policyId }, {}))
      assert.deepStrictEqual(quoted.derogations, [lossRatio])
      const better = [{ key: "claimsPaid", value: 100_000 }]
      yield* run(policies.update({ policyId }, { customFields: better }))
      yield* run(quotes.quote({ policyId }, {}))
      const { status } = yield* run(Sales.use((sales) => sales.confirm({ policyId })))
      assert.strictEqual(status, "POLICY_CONFIRMED")
    })
  )
})
