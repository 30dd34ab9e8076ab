/** Writes on debits and their files that succeed. */
import { Effect } from "effect"
import type { World } from "./Api.ts"
import { debitedBy, fileOf } from "./matrix/collections.ts"

/** That of `paymentWrites`. */
const accountName = "main"

export const collectionWrites = Effect.fnUntraced(function* (world: World) {
  const { manager } = world
  const { debitId } = yield* debitedBy(world, { accountName, umr: "OLD-2024-000010" })
  const filed = yield* debitedBy(world, { accountName, umr: "OLD-2024-000011" })
  const toDeliver = yield* fileOf(world, filed, "SEALED")
  const toCancel = yield* fileOf(world, filed, "FILLED")
  const write = (path: string, body: unknown = {}) => ({
    token: manager,
    method: "POST",
    path,
    body
  })
  return {
    "debits.notify": write(`/debits/${debitId}/notification`),
    "debits.postpone": write(`/debits/${debitId}/postpone`, { collectOn: "2027-01-04" }),
    "debits.cancel": write(`/debits/${debitId}/cancel`),
    "paymentFiles.markDelivered": write(`/payment-files/${toDeliver}/mark-delivered`),
    "paymentFiles.cancel": write(`/payment-files/${toCancel}/cancel`)
  }
})
