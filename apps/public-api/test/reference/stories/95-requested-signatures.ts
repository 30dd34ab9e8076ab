/** A broker asks a customer to sign, and withdraws it. */
import { Effect } from "effect"
import type { World } from "../../Api.ts"
import { requested } from "../../Requested.ts"
import { confirmed } from "../Sale.ts"
import { by } from "../Stage.ts"

export const story = Effect.fnUntraced(function* (world: World) {
  const manager = by(world, world.manager)
  const { productId } = requested
  yield* manager.put(`/admin/products/${productId}`, requested)
  const { policyId } = yield* confirmed(manager, {
    productId,
    startedAt: "2026-08-01T00:00:00+02:00"
  })
  const { id } = yield* manager.post(`/signatures/policies/${policyId}`, {
    message: "The contract that we spoke of"
  })
  yield* manager.post(`/signatures/${id}/cancel`, { reason: "The customer wants another vehicle" })
})
