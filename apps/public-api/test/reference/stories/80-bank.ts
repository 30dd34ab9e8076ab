/** The tenant's treasurer says where money is collected. */
import { Effect } from "effect"
import type { World } from "../../Api.ts"
import { by } from "../Stage.ts"

export const story = Effect.fnUntraced(function* (world: World) {
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
})
