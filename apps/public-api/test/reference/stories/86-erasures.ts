/** A visitor who never bought asks to be erased; a dispute holds the data for a while. */
import { Effect } from "effect"
import type { World } from "../../Api.ts"
import { quoted } from "../../Sales.ts"
import { by } from "../Stage.ts"

export const story = Effect.fnUntraced(function* (world: World) {
  const manager = by(world, world.manager)
  const { customerId } = yield* quoted(world, world.session, later)
  const hold = yield* manager.post("/privacy/holds", {
    customerId,
    reason: "A dispute before the court"
  })
  yield* manager.get("/privacy/holds")
  yield* manager.remove(`/privacy/holds/${hold["id"]}`)

  const request = yield* manager.post("/privacy/requests", {
    kind: "ERASURE",
    customerIds: [customerId]
  })
  const path = `/privacy/requests/${request["id"]}`
  yield* manager.post(`${path}/identify`, { how: "Signed in with a second factor" })
  yield* manager.post(`${path}/start`)
  yield* manager.get(`${path}/preview`)
  yield* manager.post(`${path}/erase`, { ground: "GDPR art. 17(1)(a)" })
  yield* manager.get("/privacy/erasures")
})

/** Not before the business time that the stories have come to. */
const later = { startedAt: "2027-06-01T00:00:00+02:00" }
