/** The tenant's treasurer says where money is collected, and a customer from where they pay. */
import { Effect } from "effect"
import type { World } from "../../Api.ts"
import type { Sold } from "../Sale.ts"
import { by } from "../Stage.ts"

export const story = Effect.fnUntraced(function* (world: World, { customerId, visitor }: Sold) {
  const manager = by(world, world.manager)
  const account = "/admin/bank-accounts/collections"
  yield* manager.put(account, {
    holder: {
      name: "Acme Assurances",
      address: {
        street: "Rue de la Paix",
        number: "2",
        postcode: "75002",
        town: "Paris",
        country: "FR"
      }
    },
    iban: "FR76 9999 9000 0100 0000 0000 115",
    creditorIdentifier: "FR72ZZZ123456",
    timeZone: "Europe/Paris",
    usage: ["COLLECT", "PAY_OUT"],
    products: "ALL",
    channel: "SIMULATED"
  })
  yield* manager.get("/admin/bank-accounts")
  yield* manager.get(account)

  const method = yield* visitor.post(`/payment-methods/customers/${customerId}`, {
    iban: "FR76 9999 9000 0100 0000 0010 106",
    holderName: "Camille Martin"
  })
  const path = `/payment-methods/${method["id"]}`
  yield* visitor.patch(`/customers/${customerId}`, { preferredPaymentMethodId: method["id"] })
  yield* visitor.get(`/payment-methods/customers/${customerId}`)
  yield* visitor.get(path)
  yield* manager.get(`${path}/account`)
  yield* visitor.post(`${path}/disable`)
})
