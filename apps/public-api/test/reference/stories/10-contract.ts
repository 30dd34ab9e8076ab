/** The life of the signed policy: started, corrected, suspended, stopped and reinstated. */
import { Effect } from "effect"
import type { World } from "../../Api.ts"
import { antoine, opened, signed, type Sold } from "../Sale.ts"
import { by, moveTo } from "../Stage.ts"

export const story = Effect.fnUntraced(function* (world: World, sold: Sold) {
  const { assetId, customerId, policyId, visitor } = sold
  const manager = by(world, world.manager)
  const path = `/policies/${policyId}`

  yield* moveTo(world, "2026-04-10T09:00:00Z")
  yield* manager.get("/admin/test-clock")
  yield* visitor.get(path)
  yield* visitor.get(`/customers/${customerId}`)
  yield* visitor.get(`/assets/${assetId}`)
  yield* visitor.get(`/assets/policies/${policyId}`)

  // A friend of theirs begins, and the broker looks at both.
  const later = { startedAt: "2026-06-01T00:00:00+02:00" }
  const friend = yield* opened(by(world, world.session), later, antoine)
  yield* manager.post(`/customers/${customerId}/policies/${friend.policyId}`, { role: "PAYER" })
  yield* manager.get("/policies")
  yield* manager.get("/customers")
  yield* manager.remove(`/customers/${customerId}/policies/${friend.policyId}`)
  yield* manager.post(`/assets/${friend.assetId}/stop`)
  yield* manager.remove(`/assets/${friend.assetId}`)

  // A name that was a mistake, and was reverted.
  yield* manager.patch(path, { name: "The company's car" })
  const { data: changes } = yield* manager.get(`${path}/changes`)
  yield* manager.post(`${path}/changes/${changes[0].id}/revert`)

  // The car is in a garage for two weeks.
  yield* manager.post(`${path}/suspend`, { reason: "GARAGED" })
  yield* moveTo(world, "2026-04-24T09:00:00Z")
  yield* manager.post(`${path}/reactivate`)

  // It was to be sold, and is not.
  yield* manager.post(`${path}/stop?whenAt=2026-05-31T22:00:00Z`, { reason: "SALE" })
  yield* manager.remove(`${path}/stop`)
  yield* manager.get(`${path}/timeline`)

  // Another one was sold, and withdrawn by its seller.
  const other = yield* signed(by(world, world.manager), { name: "Second car" })
  yield* manager.post(`/policies/${other.policyId}/stop`, { reason: "SALE" })
  yield* manager.post(`/policies/${other.policyId}/reinstate`, { gap: "COVERED" })
})
