/** A file of debits is made, cancelled, made anew, and handed to the bank, which rejects one of them. */
import { Effect } from "effect"
import type { World } from "../../Api.ts"
import { rejectionForm } from "../../BankFiles.ts"
import { by, moveTo } from "../Stage.ts"
import { collected } from "./82-debits.ts"

export const story = Effect.fnUntraced(function* (world: World) {
  const manager = by(world, world.manager)
  const policyId = yield* collected(manager, "motor-filed", { umr: "OLD-2024-001189" })
  const debits = `/debits?policyId=${policyId}&statuses=PLANNED`
  const { data: planned } = yield* manager.get(debits)
  const debit = yield* manager.post(`/debits/${planned[0].id}/notification`, {})
  yield* moveTo(world, `${debit["submitOn"]}T12:00:00.000Z`)
  const { data: first } = yield* manager.get("/payment-files?statuses=FILLED")
  yield* manager.post(`/payment-files/${first[0].id}/cancel`, {})
  yield* moveTo(world, `${debit["submitOn"]}T12:30:00.000Z`)
  // The day is still possible, so that another file has its debit at once.
  const { data: files } = yield* manager.get("/payment-files?statuses=FILLED")
  const file = `/payment-files/${files[0].id}`
  yield* manager.get(`${file}/content`)
  yield* manager.get(file)
  yield* manager.get(`${file}/items`)
  yield* manager.post(`${file}/mark-delivered`, {})

  // The account is not there, says the bank; it was another digit.
  const { data: sent } = yield* manager.get(`${file}/items`)
  const { bankAccountId, endToEndId, id: debitId, mandateId } = sent[0]
  const messageId = files[0].messageId
  const { body, headers } = rejectionForm({ messageId, endToEndId, reasonCode: "AC01" })
  const reports = `/bank-accounts/${bankAccountId}/statements`
  yield* manager.post(reports, body, headers["content-type"])
  yield* moveTo(world, `${debit["submitOn"]}T12:45:00.000Z`)
  yield* manager.post(`/mandates/${mandateId}/unblock`, {
    reason: "The bank had a wrong number",
    evidence: "Letter of the customer of 4 May 2026"
  })
  yield* manager.post(`/debits/${debitId}/retry`)
})
