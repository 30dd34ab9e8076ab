/** Writes on debits that succeed, to the account of `paymentWrites`. */
import { Effect } from "effect"
import type { World } from "./Api.ts"
import { recordsOf } from "./matrix/collections.ts"

export const collectionWrites = Effect.fnUntraced(function* (world: World) {
  const { debitId } = yield* recordsOf(world)
  const write = (step: string, body: unknown = {}) => ({
    token: world.manager,
    method: "POST",
    path: `/debits/${debitId}/${step}`,
    body
  })
  return {
    "debits.notify": write("notification"),
    "debits.postpone": write("postpone", { collectOn: "2027-01-04" }),
    "debits.cancel": write("cancel")
  }
})
