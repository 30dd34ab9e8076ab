/** What policies owe and what is paid of it, or not. */
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect } from "effect"
import type { World } from "../../Api.ts"
import { signed, type Sold } from "../Sale.ts"
import { by, moveTo, type Person } from "../Stage.ts"

const transfer = { method: "BANK_TRANSFER", reference: "Transfer of Camille Martin" }

const invoicesOf = Effect.fnUntraced(function* (person: Person, policyId: string) {
  const { data } = yield* person.get(`/billing/policies/${policyId}/invoices`)
  const invoices: ReadonlyArray<{ readonly id: string; readonly amountDue: number }> = data
  return invoices
})

/** No invoice of ours waits to be issued; this one is put back to where it could be dropped. */
const draftOf = Effect.fnUntraced(function* (policyId: string) {
  const sql = yield* SuperuserSql
  const [draft] = yield* sql<{ readonly id: string }>`
    UPDATE invoice SET status = 'DRAFTED' WHERE policy_id = ${policyId} RETURNING id
  `
  return draft!.id
})

const money = Effect.fnUntraced(function* (world: World, policyId: string) {
  const manager = by(world, world.manager)
  const path = `/billing/policies/${policyId}`

  yield* moveTo(world, "2026-05-02T09:00:00Z")
  yield* manager.get(`${path}/schedule`)
  const invoices = yield* invoicesOf(manager, policyId)
  const first = invoices.at(-1)!
  yield* manager.get(`/billing/invoices/${first.id}`)

  // They pay all that is due, and once too much, which is paid back.
  for (const { amountDue, id } of invoices.filter(({ amountDue }) => amountDue > 0)) {
    yield* manager.post(`/payments/invoices/${id}`, { amount: amountDue, ...transfer })
  }
  yield* manager.post(`/payments/invoices/${first.id}`, { amount: 1250, ...transfer })
  yield* manager.post(`/payments/policies/${policyId}/refunds`, {
    amount: 1250,
    method: "BANK_TRANSFER",
    reference: "Refund of 2 May"
  })
  yield* manager.get(`/payments/policies/${policyId}`)
  yield* manager.get(`${path}/ledger`)
  yield* manager.post(`${path}/charges`, {
    componentId: "DUPLICATE",
    label: "Second certificate",
    amount: 1500
  })

  // The bank takes a payment back.
  const returned = yield* signed(manager, { name: "Returned" })
  const [due] = yield* invoicesOf(manager, returned.policyId)
  const payment = yield* manager.post(`/payments/invoices/${due!.id}`, {
    amount: due!.amountDue,
    method: "DIRECT_DEBIT",
    reference: "Direct debit of 2 May"
  })
  yield* manager.post(`/payments/${payment["id"]}/return`, { reasonCode: "AM04", fee: 1000 })

  // What is not to be paid any more.
  const given = yield* signed(manager, { name: "Withdrawn" })
  const [lost, credited] = yield* invoicesOf(manager, given.policyId)
  yield* manager.post(`/billing/invoices/${lost!.id}/write-off`, {
    reason: "The customer is insolvent"
  })
  yield* manager.post(`/billing/invoices/${lost!.id}/reverse-write-off`, {
    reason: "Written off by mistake"
  })
  yield* manager.post(`/billing/invoices/${credited!.id}/credit`, {
    reason: "Goodwill after a complaint"
  })
  const drafted = yield* signed(manager, {
    name: "Drafted",
    startedAt: "2026-05-01T00:00:00+02:00"
  })
  yield* manager.post(`/billing/invoices/${yield* draftOf(drafted.policyId)}/cancel`, {
    reason: "Drafted by mistake"
  })
})

const dunning = Effect.fnUntraced(function* (world: World) {
  const manager = by(world, world.manager)
  const { customerId, policyId } = yield* signed(manager, { name: "Unpaid" })
  const path = `/billing/policies/${policyId}`
  const invoices = yield* invoicesOf(manager, policyId)
  yield* manager.get("/accounting-summary?queryString=unpaid")
  yield* moveTo(world, "2026-05-26T09:00:00Z")
  yield* manager.post(`${path}/formal-notices`, {
    invoiceIds: [invoices.at(-1)!.id],
    payerCustomerId: customerId,
    sentAt: "2026-05-26T08:00:00Z",
    channel: "REGISTERED_LETTER",
    evidence: { carrier: "La Poste", reference: "RK 12 345 678 9 FR" }
  })
  yield* manager.get(`${path}/formal-notices`)
  const hold = yield* manager.post(`${path}/holds`, {
    to: "2026-07-01T00:00:00Z",
    reason: "The invoice is disputed"
  })
  yield* manager.remove(`${path}/holds/${hold["id"]}`)
})

export const story = Effect.fnUntraced(function* (world: World, { policyId }: Sold) {
  yield* money(world, policyId)
  yield* dunning(world)
})
