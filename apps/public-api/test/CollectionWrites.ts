/** Writes on debits and their files that succeed. */
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect } from "effect"
import type { World } from "./Api.ts"
import { debitedBy, fileOf } from "./matrix/collections.ts"
import { atSimulatedBank, transfer } from "./matrix/sandbox-bank.ts"
import { send } from "./Sales.ts"

/** That of `paymentWrites`. */
const accountName = "main"

export const collectionWrites = Effect.fnUntraced(function* (world: World) {
  const { manager } = world
  const { debitId } = yield* debitedBy(world, { accountName, umr: "OLD-2024-000010" })
  const filed = yield* debitedBy(world, { accountName, umr: "OLD-2024-000011" })
  const toDeliver = yield* fileOf(world, filed, "SEALED")
  const toCancel = yield* fileOf(world, filed, "FILLED")
  const failed = yield* debitedBy(world, { accountName, umr: "OLD-2024-000012" })
  const { body: blocked } = yield* send(world, manager, `/debits/${filed.debitId}`)
  const sql = yield* SuperuserSql
  // As after answers of a bank, for reasons that can be mended.
  yield* sql`
    UPDATE debit SET status = 'REJECTED', reason_code = 'MS02', amount = 1, notified_on = submit_on,
      payment_file_id = ${toDeliver}
    WHERE tenant_id = ${world.tenant} AND id = ${failed.debitId}
  `
  yield* sql`
    UPDATE mandate SET status = 'BLOCKED', blocked = '{"reasonCode":"AC01","at":"2026-05-04T09:00:00.000Z"}'
    WHERE tenant_id = ${world.tenant} AND id = ${blocked.mandateId}
  `
  const bankAccountId = yield* atSimulatedBank(world)
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
    "mandates.unblock": write(`/mandates/${blocked.mandateId}/unblock`, {
      reason: "The number was wrong",
      evidence: "Letter"
    }),
    "sandboxBank.transfer": write("/sandbox/bank-transfers", { ...transfer, bankAccountId }),
    "debits.retry": write(`/debits/${failed.debitId}/retry`),
    "paymentFiles.markDelivered": write(`/payment-files/${toDeliver}/mark-delivered`),
    "paymentFiles.cancel": write(`/payment-files/${toCancel}/cancel`)
  }
})
