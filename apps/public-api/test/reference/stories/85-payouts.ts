/** A firm's manager asks that what was paid too much is paid out, and the tenant's manager agrees. */
import { Effect } from "effect"
import type { World } from "../../Api.ts"
import { idOf } from "../../SignedIn.ts"
import { signed } from "../Sale.ts"
import { by, type Person } from "../Stage.ts"

/** A policy that owes its customer money, and an account of theirs. */
const overpaid = Effect.fnUntraced(function* (manager: Person) {
  const { customerId, policyId } = yield* signed(manager, { name: "Overpaid" })
  const { data } = yield* manager.get(`/billing/policies/${policyId}/invoices`)
  const { amountDue, id } = data[0]
  yield* manager.post(`/payments/invoices/${id}`, {
    amount: amountDue + 100_000,
    method: "BANK_TRANSFER",
    reference: "Transfer of Camille Martin"
  })
  const methodOf = (holderName: string) =>
    manager.post(`/payment-methods/customers/${customerId}`, {
      iban: "FR76 9999 9000 0100 0000 0010 106",
      holderName
    })
  return { policyId, methodOf }
})

export const story = Effect.fnUntraced(function* (world: World) {
  const manager = by(world, world.manager)
  const desk = by(world, world.south)
  yield* manager.put(`/admin/users/${yield* idOf(world.tenant, "south")}/permissions`, {
    permissions: [{ role: "FIRM_MANAGER", on: { kind: "TENANT" } }]
  })
  const { methodOf, policyId } = yield* overpaid(manager)
  const path = `/payouts/policies/${policyId}`
  const method = yield* methodOf("Camille Martin")
  const ask = (amount: number, paymentMethodId: unknown = method["id"]) =>
    desk.post(path, { kind: "REFUND", amount, paymentMethodId })

  // The account is new, and the firm's manager has no authority.
  const first = yield* ask(1250)
  yield* desk.get(path)
  yield* desk.get(`/payouts/${first["id"]}`)
  yield* manager.get("/approvals?statuses=PENDING")
  yield* manager.post(`/approvals/${first["approvalId"]}/approve`, {})
  yield* manager.post(`/payouts/${first["id"]}/record-paid`, {})
  yield* manager.post(`/payouts/${first["id"]}/record-failed`, { reasonCode: "AC04" })

  const second = yield* ask(2500)
  yield* manager.post(`/approvals/${second["approvalId"]}/reject`, {
    reason: "The account was closed"
  })
  const other = yield* methodOf("Camille Martin CLOSEMATCH")
  const third = yield* ask(3000, other["id"])
  yield* desk.post(`/payouts/${third["id"]}/confirm-payee`)
  yield* desk.post(`/payouts/${third["id"]}/cancel`)
})
