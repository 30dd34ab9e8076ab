/** Writes on withdrawals that succeed. */
import { Effect } from "effect"
import type { World } from "./Api.ts"
import { send, signed } from "./Sales.ts"
import { input, publish, withdrawable } from "./Withdrawable.ts"

export const withdrawalWrites = Effect.fnUntraced(function* (world: World) {
  const { session: token } = world
  // Other writes move the clock before these are tried.
  yield* publish(world, { days: 366 })
  const { policyId } = yield* signed(world, token, {
    productId: withdrawable.productId,
    startedAt: "2026-08-01T00:00:00+02:00"
  })
  const path = `/policies/${policyId}/withdrawals`
  const { body } = yield* send(world, token, path, input)
  return {
    "withdrawals.request": { token, method: "POST", path, body: input },
    "withdrawals.confirm": {
      token,
      method: "POST",
      path: `/withdrawals/${body.id}/confirm`,
      body: {}
    }
  }
})
