/** A customer asks what is kept about them, and another one asks for an erasure. */
import { Effect } from "effect"
import type { World } from "../../Api.ts"
import type { Sold } from "../Sale.ts"
import { by } from "../Stage.ts"

export const story = Effect.fnUntraced(function* (world: World, { customerId }: Sold) {
  const manager = by(world, world.manager)
  const ask = (kind: string) =>
    manager.post("/privacy/requests", { kind, customerIds: [customerId] })

  const access = yield* ask("ACCESS")
  const path = `/privacy/requests/${access["id"]}`
  yield* manager.post(`${path}/identify`, { how: "Signed in with a second factor" })
  yield* manager.post(`${path}/start`)
  yield* manager.post(`${path}/extend`, { reason: "Contracts of thirty years, on paper" })
  yield* manager.get(`${path}/data`)
  yield* manager.get(`/privacy/customers/${customerId}/clocks`)
  yield* manager.get("/privacy/register")
  yield* manager.post(`${path}/complete`, {
    outcome: "DONE",
    decision: "Sent by registered letter"
  })
  yield* manager.get(path)

  const erasure = yield* ask("ERASURE")
  yield* manager.post(`/privacy/requests/${erasure["id"]}/refuse`, {
    ground: "GDPR art. 17(3)(b): the contract runs"
  })
  const objection = yield* ask("OBJECTION")
  yield* manager.post(`/privacy/requests/${objection["id"]}/withdraw`)
  yield* manager.get("/privacy/requests")
})
