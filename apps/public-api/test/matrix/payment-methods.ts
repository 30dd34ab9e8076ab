import { Effect } from "effect"
import { dryRun, type Fixtures } from "../MatrixFixture.ts"
import type { World } from "../Api.ts"
import { send } from "../Sales.ts"

/** An account of a customer, as they give it. */
export const account = {
  iban: "FR76 9999 9000 0100 0000 0010 106",
  holderName: "Camille Martin"
}

export const fixtures: Fixtures = {
  "paymentMethods.add": { ...dryRun, body: account },
  "paymentMethods.disable": { ...dryRun, body: {} }
}

export const recordsOf = Effect.fnUntraced(function* (
  world: World,
  { customerId }: { readonly customerId: string }
) {
  const path = `/payment-methods/customers/${customerId}`
  const { body: made } = yield* send(world, world.manager, path, account)
  return { paymentMethodId: String(made.id) }
})
