/** Writes on erasures and holds that succeed. */
import { Effect } from "effect"
import type { World } from "./Api.ts"
import { erasureRequestOf } from "./matrix/erasures.ts"
import { quoted, send } from "./Sales.ts"

export const erasureWrites = Effect.fnUntraced(function* (world: World) {
  const { manager } = world
  const erased = yield* quoted(world, world.session)
  const { customerId } = yield* quoted(world, world.session)
  const hold = yield* send(world, manager, "/privacy/holds", { customerId, reason: "A dispute" })
  const requestId = yield* erasureRequestOf(world, erased.customerId)
  return {
    "erasures.carryOut": {
      token: manager,
      method: "POST",
      path: `/privacy/requests/${requestId}/erase`,
      body: { ground: "GDPR art. 17(1)(a)" }
    },
    "erasures.placeHold": {
      token: world.client,
      method: "POST",
      path: "/privacy/holds",
      body: { customerId, reason: "A dispute" }
    },
    "retention.put": {
      token: manager,
      method: "PUT",
      path: "/admin/retention",
      body: { isAutomatic: false }
    },
    "erasures.liftHold": {
      token: world.client,
      method: "DELETE",
      path: `/privacy/holds/${hold.body.id}`
    }
  }
})
