/** A motor product that customers may withdraw from, as tests of withdrawals sell it. */
import { Effect } from "effect"
import { call, motor, type World } from "./Api.ts"

export const withdrawable = {
  ...motor,
  productId: "motor-online",
  stopReasons: [...motor.stopReasons, { id: "WITHDRAWAL", name: "Renonciation", refund: "FULL" }],
  withdrawal: {
    days: 14,
    from: "CONCLUSION",
    customerTypes: ["INDIVIDUAL"],
    stopReason: "WITHDRAWAL",
    refundWithinDays: 30,
    onRequestedStart: "FULL",
    source: "art. L112-2-1 code des assurances"
  }
}

export const input = { name: "Camille Martin", email: "camille@example.org" }

/** Publishes the product for the tenant, with so many days to withdraw. */
export const publish = Effect.fnUntraced(function* (
  { manager: token, tenant }: World,
  { days } = withdrawable.withdrawal
) {
  const path = `/admin/products/${withdrawable.productId}`
  const body = { ...withdrawable, withdrawal: { ...withdrawable.withdrawal, days } }
  const { status, text } = yield* call(path, { tenant, token, method: "PUT", body })
  if (status >= 300) return yield* Effect.die(new Error(text))
})
