/** A policy that runs and is paid for a year. */
import { Effect } from "effect"
import { call, type World } from "./Api.ts"
import { send, signed } from "./Sales.ts"

/** Pays all invoices of a policy. */
export const pay = Effect.fnUntraced(function* (world: World, policyId: string) {
  const { body } = yield* send(world, world.manager, `/billing/policies/${policyId}/invoices`)
  for (const { amountDue, id } of body.data) {
    const money = { amount: amountDue, method: "BANK_TRANSFER", reference: "R" }
    if (amountDue > 0) yield* send(world, world.manager, `/payments/invoices/${id}`, money)
  }
})

/** A policy that was signed, which is paid a year ahead. */
export const yearly = (world: World) =>
  signed(world, world.session, {
    invoicingConfig: { frequency: "YEARLY", timing: "IN_ADVANCE", firstPayment: "NONE" }
  })

export const moveTo = ({ client: token, tenant }: World, now: string) =>
  call("/admin/test-clock", { tenant, token, method: "PUT", body: { now } })
