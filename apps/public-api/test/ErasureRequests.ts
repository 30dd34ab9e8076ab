/** Requests for erasure, as people of a tenant take them. */
import { Effect } from "effect"
import { call, type World } from "./Api.ts"
import { send } from "./Sales.ts"

/** A request for erasure that has begun. */
export const asked = Effect.fnUntraced(function* (
  world: World,
  customerIds: ReadonlyArray<string>
) {
  const made = yield* send(world, world.manager, "/privacy/requests", {
    kind: "ERASURE",
    customerIds
  })
  const path = `/privacy/requests/${made.body.id}`
  yield* send(world, world.manager, `${path}/identify`, { how: "By letter" })
  yield* send(world, world.manager, `${path}/start`, {})
  return path
})

export const erase = (world: World, path: string, body: object = {}) =>
  call(`${path}/erase`, {
    tenant: world.tenant,
    token: world.manager,
    body: { ground: "GDPR art. 17(1)(a)", ...body }
  })
