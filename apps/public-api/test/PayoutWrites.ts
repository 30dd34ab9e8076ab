/** Writes on payouts and their approvals that succeed, from the account of `paymentWrites`. */
import { Effect } from "effect"
import { call, type World } from "./Api.ts"
import { account } from "./matrix/payment-methods.ts"
import { send, signed } from "./Sales.ts"
import { idOf } from "./SignedIn.ts"

export const payoutWrites = Effect.fnUntraced(function* (world: World) {
  const { manager, south, tenant } = world
  yield* call(`/admin/users/${yield* idOf(tenant, "south")}/permissions`, {
    tenant,
    token: manager,
    method: "PUT",
    body: { permissions: [{ role: "FIRM_MANAGER", on: { kind: "TENANT" } }] }
  })
  const { customerId, policyId } = yield* signed(world, world.session)
  const { body: invoices } = yield* send(world, manager, `/billing/policies/${policyId}/invoices`)
  const { amountDue, id } = invoices.data[0]
  const payment = { amount: amountDue + 1_000_000, method: "CARD", reference: "r" }
  yield* send(world, manager, `/payments/invoices/${id}`, payment)
  const methodOf = Effect.fnUntraced(function* (holderName: string) {
    const path = `/payment-methods/customers/${customerId}`
    return String((yield* send(world, manager, path, { ...account, holderName })).body.id)
  })
  const paymentMethodId = yield* methodOf("Camille Martin")
  const path = `/payouts/policies/${policyId}`
  const request = (method: string) => ({ kind: "REFUND", amount: 10, paymentMethodId: method })
  const ask = Effect.fnUntraced(function* (method: string = paymentMethodId) {
    return (yield* send(world, south, path, request(method))).body
  })
  const approved = Effect.fnUntraced(function* () {
    const payout = yield* ask()
    yield* send(world, manager, `/approvals/${payout.approvalId}/approve`, {})
    return payout
  })
  const [toApprove, toReject, toCancel] = [yield* ask(), yield* ask(), yield* ask()]
  const toConfirm = yield* ask(yield* methodOf("Camille Martin CLOSEMATCH"))
  const [toPay, toFail] = [yield* approved(), yield* approved()]
  const write = (token: string, at: string, body: unknown = {}) => ({
    token,
    method: "POST",
    path: at,
    body
  })
  return {
    "payouts.request": write(south, path, request(paymentMethodId)),
    "payouts.cancel": write(south, `/payouts/${toCancel.id}/cancel`),
    "payouts.confirmPayee": write(south, `/payouts/${toConfirm.id}/confirm-payee`),
    "payouts.recordPaid": write(manager, `/payouts/${toPay.id}/record-paid`),
    "payouts.recordFailed": write(manager, `/payouts/${toFail.id}/record-failed`, {
      reasonCode: "AC04"
    }),
    "approvals.approve": write(manager, `/approvals/${toApprove.approvalId}/approve`),
    "approvals.reject": write(manager, `/approvals/${toReject.approvalId}/reject`, {
      reason: "The account was closed"
    })
  }
})
