/** Writes on payment methods that succeed. */
import { Effect } from "effect"
import type { World } from "./Api.ts"
import { account, recordsOf } from "./matrix/payment-methods.ts"
import { quoted } from "./Sales.ts"

export const paymentWrites = Effect.fnUntraced(function* (world: World) {
  const { customerId } = yield* quoted(world, world.session)
  const { paymentMethodId } = yield* recordsOf(world, { customerId })
  const write = (path: string, body: unknown) => ({
    token: world.manager,
    method: "POST",
    path: `/payment-methods${path}`,
    body
  })
  return {
    "paymentMethods.add": write(`/customers/${customerId}`, account),
    "paymentMethods.disable": write(`/${paymentMethodId}/disable`, {})
  }
})
