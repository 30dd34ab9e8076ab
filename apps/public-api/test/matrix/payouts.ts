import { Effect } from "effect"
import type { World } from "../Api.ts"
import { dryRun, type Fixtures } from "../MatrixFixture.ts"
import { send } from "../Sales.ts"
import { account } from "./payment-methods.ts"

/** Who may do it finds that it has been done, whatever authority they have. */
const done = { status: 409, code: "INVALID_TRANSITION" } as const

export const fixtures: Fixtures = {
  // The policy has no credit balance.
  "payouts.request": {
    bodyOf: (_caller, { paymentMethodId }) => ({ kind: "REFUND", amount: 1, paymentMethodId }),
    instead: { status: 422, code: "INVALID_AMOUNT" }
  },
  "payouts.cancel": { ...dryRun, body: {} },
  "payouts.confirmPayee": { ...dryRun, body: {}, instead: done },
  "payouts.recordPaid": { ...dryRun, body: {}, instead: done },
  "payouts.recordFailed": { ...dryRun, body: { reasonCode: "AC04" }, instead: done },
  "approvals.approve": { ...dryRun, body: {}, instead: done },
  "approvals.reject": { ...dryRun, body: { reason: "x" }, instead: done }
}

export const recordsOf = Effect.fnUntraced(function* (
  world: World,
  { customerId, stoppedPolicyId }: { readonly customerId: string; readonly stoppedPolicyId: string }
) {
  const { manager } = world
  const ask = (path: string, body?: unknown) =>
    Effect.map(send(world, manager, path, body), ({ body: answer }) => answer)
  const { data } = yield* ask(`/billing/policies/${stoppedPolicyId}/invoices`)
  const { amountDue, id } = data.at(-1)
  const payment = { amount: amountDue + 1_000_000, method: "CARD", reference: "r" }
  yield* ask(`/payments/invoices/${id}`, payment)
  // Payouts to a new account wait for another person.
  const { id: paymentMethodId } = yield* ask(`/payment-methods/customers/${customerId}`, account)
  const request = ask(`/payouts/policies/${stoppedPolicyId}`, {
    kind: "REFUND",
    amount: 1,
    paymentMethodId
  })
  const waiting = yield* request
  const cancelled = yield* request
  yield* ask(`/payouts/${cancelled.id}/cancel`, {})
  return { payoutId: String(waiting.id), approvalId: String(cancelled.approvalId) }
})
