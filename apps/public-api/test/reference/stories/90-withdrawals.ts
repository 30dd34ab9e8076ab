/** A customer who has bought online withdraws from the contract. */
import { Effect } from "effect"
import type { World } from "../../Api.ts"
import { input, withdrawable } from "../../Withdrawable.ts"
import { signed } from "../Sale.ts"
import { by } from "../Stage.ts"

export const story = Effect.fnUntraced(function* (world: World) {
  const manager = by(world, world.manager)
  const { productId } = withdrawable
  yield* manager.put(`/admin/products/${productId}`, withdrawable)
  const { policyId } = yield* signed(manager, {
    productId,
    startedAt: "2026-08-01T00:00:00+02:00"
  })
  const path = `/policies/${policyId}`
  yield* manager.get(`${path}/withdrawal-right`)
  const { id } = yield* manager.post(`${path}/withdrawals`, input)
  yield* manager.post(`/withdrawals/${id}/confirm`)
  yield* manager.get(`${path}/withdrawals`)
})
