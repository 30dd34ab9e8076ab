import type { Fixtures } from "../MatrixFixture.ts"

export const fixtures: Fixtures = {
  "payments.record": { body: { amount: 1, method: "CARD", reference: "r" } },
  // The policy has no credit balance.
  "payments.recordRefund": {
    body: { amount: 1, method: "CARD", reference: "r" },
    instead: { status: 422, code: "INVALID_AMOUNT" }
  },
  // The payment was returned before, and a payment is returned once.
  "payments.recordReturn": {
    body: { reasonCode: "AM04" },
    instead: { status: 409, code: "INVALID_TRANSITION" }
  }
}
