/** Another product, and a policy of it that needs a decision. */
import { fieldExamples, shippedProduct } from "@quittance/testing/ShippedProducts"
import { Effect } from "effect"
import type { World } from "../../Api.ts"
import { signature } from "../Sale.ts"
import { by, moveTo } from "../Stage.ts"

// Its schema is for the editor of the file.
const { $schema: _schema, ...product } = shippedProduct("fleet-fr")
const { derogations, ...lenient } = product

/** Two vans, a line for each. */
const vans = [
  ["name", ...product.fields.asset.map(({ key }) => key)].join(","),
  ...["Van of Lyon", "Van of Grenoble"].map((name) =>
    [name, ...product.fields.asset.map(({ example }) => example)].join(",")
  )
].join("\n")

/** Claims of more than twice the premiums. */
const results = new Map([
  ["premiumsPaid", 1_000_000],
  ["claimsPaid", 2_010_000]
])

export const story = Effect.fnUntraced(function* (world: World) {
  const manager = by(world, world.manager)
  const inProduct = `/admin/products/${product.productId}`
  yield* manager.put(inProduct, lenient)
  const { id } = yield* manager.post("/policies", {
    productId: product.productId,
    name: "Vans of Ateliers du Rhône",
    startedAt: "2026-06-01T00:00:00+02:00",
    periodDuration: { unit: "MONTH", amount: 3 },
    customFields: fieldExamples(product.fields.policy).map(({ key, value }) => ({
      key,
      value: results.get(key) ?? value
    }))
  })
  yield* manager.post(`/assets/policies/${id}/import`, vans, "text/csv")
  const { customerId } = yield* manager.post(`/customers/policies/${id}`, {
    role: "POLICYHOLDER",
    type: "COMPANY",
    name: "Ateliers du Rhône SAS",
    email: "direction@ateliers-du-rhone.example",
    customFields: fieldExamples(product.fields.customer, "POLICYHOLDER")
  })
  yield* manager.post(`/policies/${id}/quote`)
  yield* manager.post(`/customers/${customerId}/confirm`)
  yield* manager.post(`/policies/${id}/confirm`)
  yield* manager.post(`/policies/${id}/sign`, signature)

  yield* moveTo(world, "2026-06-01T09:00:00Z")
  // The next version of the product refers such a risk to an underwriter, so its next term waits for them.
  yield* manager.put(inProduct, { ...lenient, version: "2026.2", derogations })
  yield* manager.get(inProduct)
  yield* manager.get(`${inProduct}/versions`)
  yield* moveTo(world, "2026-09-02T09:00:00Z")
  yield* manager.get("/billing/parked")
  yield* manager.get("/billing/worklist?kinds=PARKED_POLICY")
  yield* manager.post(`/billing/parked/${id}/retry`)
})
