/** A file of debits is made, cancelled, made anew, and handed to the bank. */
import { Effect } from "effect"
import { motor, type World } from "../../Api.ts"
import { opened, signature } from "../Sale.ts"
import { by, moveTo } from "../Stage.ts"
import { payments } from "./82-debits.ts"

export const story = Effect.fnUntraced(function* (world: World) {
  const manager = by(world, world.manager)
  const productId = "motor-filed"
  yield* manager.put(`/admin/products/${productId}`, { ...motor, productId, payments })
  const { customerId, policyId } = yield* opened(manager, { productId })
  const method = yield* manager.post(`/payment-methods/customers/${customerId}`, {
    iban: "FR76 9999 9000 0100 0000 0010 106",
    holderName: "Camille Martin"
  })
  yield* manager.patch(`/customers/${customerId}`, { preferredPaymentMethodId: method["id"] })
  yield* manager.post(`/mandates/payment-methods/${method["id"]}/import`, {
    productId,
    umr: "OLD-2024-001189",
    signedOn: "2024-11-04",
    evidence: "Archive of Acme, box 12"
  })
  const path = `/policies/${policyId}`
  yield* manager.post(`${path}/quote`, { tierId: "THIRD_PARTY_PLUS" })
  yield* manager.post(`/customers/${customerId}/confirm`)
  yield* manager.post(`${path}/confirm`)
  yield* manager.post(`${path}/sign`, signature)
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
