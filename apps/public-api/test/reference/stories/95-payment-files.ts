/** A file of debits is made, cancelled, made anew, and handed to the bank. */
import { Effect } from "effect"
import type { World } from "../../Api.ts"
import { by, moveTo } from "../Stage.ts"
import { collected } from "./82-debits.ts"

export const story = Effect.fnUntraced(function* (world: World) {
  const manager = by(world, world.manager)
  const policyId = yield* collected(manager, "motor-filed", { umr: "OLD-2024-001189" })
  const debits = `/debits?policyId=${policyId}&statuses=PLANNED`
  const { data: planned } = yield* manager.get(debits)
  const debit = yield* manager.post(`/debits/${planned[0].id}/notification`, {})
  yield* moveTo(world, `${debit["submitOn"]}T12:00:00.000Z`)
  const { data: first } = yield* manager.get("/payment-files?statuses=FILLED")
  yield* manager.post(`/payment-files/${first[0].id}/cancel`, {})
  yield* moveTo(world, `${debit["submitOn"]}T12:30:00.000Z`)
  // The day is still possible, so that another file has its debit at once.
  const { data: files } = yield* manager.get("/payment-files?statuses=FILLED")
  const file = `/payment-files/${files[0].id}`
  yield* manager.get(`${file}/content`)
  yield* manager.get(file)
  yield* manager.get(`${file}/items`)
  yield* manager.post(`${file}/mark-delivered`, {})
})
