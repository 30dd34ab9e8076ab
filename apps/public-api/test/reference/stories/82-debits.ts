/** A product is collected by debit, and the treasurer sees what is going to be collected. */
import { Effect } from "effect"
import { motor, type World } from "../../Api.ts"
import { opened, signature } from "../Sale.ts"
import { by } from "../Stage.ts"

const payments = {
  modes: ["DIRECT_DEBIT", "BANK_TRANSFER"],
  directDebit: {
    schemes: ["CORE"],
    notificationDays: 14,
    announce: "INVOICE",
    retry: { maxAttempts: 2, afterDays: 5, notificationDays: 2 }
  }
}

type Stage = ReturnType<typeof by>

/** A signed policy of a product of its own, whose invoices are collected by an old mandate; its id. */
export const collected = Effect.fnUntraced(function* (
  manager: Stage,
  productId: string,
  mandate: { readonly umr: string; readonly lastPresentedOn?: string }
) {
  yield* manager.put(`/admin/products/${productId}`, { ...motor, productId, payments })
  const { customerId, policyId } = yield* opened(manager, { productId })
  const method = yield* manager.post(`/payment-methods/customers/${customerId}`, {
    iban: "FR76 9999 9000 0100 0000 0010 106",
    holderName: "Camille Martin"
  })
  yield* manager.patch(`/customers/${customerId}`, { preferredPaymentMethodId: method["id"] })
  yield* manager.post(`/mandates/payment-methods/${method["id"]}/import`, {
    productId,
    ...mandate,
    signedOn: "2024-11-04",
    evidence: "Archive of Acme, box 12"
  })
  const path = `/policies/${policyId}`
  yield* manager.post(`${path}/quote`, { tierId: "THIRD_PARTY_PLUS" })
  yield* manager.post(`/customers/${customerId}/confirm`)
  yield* manager.post(`${path}/confirm`)
  yield* manager.post(`${path}/sign`, signature)
  return policyId
})

export const story = Effect.fnUntraced(function* (world: World) {
  const manager = by(world, world.manager)
  yield* manager.get("/sandbox/test-accounts")
  const policyId = yield* collected(manager, "motor-debited", {
    umr: "OLD-2024-001188",
    lastPresentedOn: "2026-04-07"
  })
  const { data } = yield* manager.get(`/debits?policyId=${policyId}`)
  const debit = `/debits/${data[0].id}`
  yield* manager.get(debit)
  yield* manager.post(`${debit}/notification`, {})
  yield* manager.post(`${debit}/postpone`, { collectOn: "2026-10-05" })
  yield* manager.post(`${debit}/cancel`, {})
})
