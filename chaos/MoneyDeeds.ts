/** What people do about the money of a policy: pay, return, write off, credit, charge and pay out. */
import { type Instant, toEpochMillis } from "@quittance/domain/values/Instant"
import { Billing } from "@quittance/operations/billing/Billing"
import { ManualCharges } from "@quittance/operations/billing/ManualCharges"
import { PaymentReturns } from "@quittance/operations/payments/PaymentReturns"
import { Payments } from "@quittance/operations/payments/Payments"
import { InvoiceAdjustments } from "@quittance/operations/billing/InvoiceAdjustments"
import { Refunds } from "@quittance/operations/payments/Refunds"
import { Effect } from "effect"
import { later, type Occasion, run } from "./Occasion.ts"
import { CustomerId, InvoiceId } from "@quittance/domain/values/Ids"

const invoicesOf = (occasion: Occasion) =>
  Effect.map(
    run(
      occasion,
      "read"
    )(Billing.use((billing) => billing.invoices(occasion.sold.policyId, { count: 100, page: 1 }))),
    ({ data }) => data.filter(({ type }) => type === "INVOICE")
  )

/** The oldest invoice of which something is left to pay. */
const oldestUnpaid = (occasion: Occasion) =>
  Effect.map(invoicesOf(occasion), (invoices) =>
    invoices.findLast(({ amountDue }) => amountDue > 0)
  )

/** An invoice that was written off. */
const writtenOff = (occasion: Occasion) =>
  Effect.map(invoicesOf(occasion), (invoices) =>
    invoices.findLast(({ status }) => status === "WRITTEN_OFF")
  )

/**
 * Pays the oldest unpaid invoice: whole, in part, or more than it asks for. Now and then one that was
 * written off.
 */
export const pay = Effect.fnUntraced(function* (occasion: Occasion) {
  const { draw, name, sold } = occasion
  const lost = draw.percent(25) ? yield* writtenOff(occasion) : undefined
  const unpaid = lost ?? (yield* oldestUnpaid(occasion))
  if (unpaid === undefined) return
  const amountDue = unpaid.total.amountWithFeesAndTaxes - unpaid.amountPaid
  const share = draw.below(10)
  const amount =
    share < 6 ? amountDue : share < 8 ? 1 + draw.below(amountDue) : amountDue + draw.below(20_000)
  const paidAt = before(occasion, unpaid.issuedAt)
  const payment = {
    amount,
    method: "BANK_TRANSFER",
    reference: name,
    ...(paidAt === undefined ? {} : { paidAt })
  } as const
  sold.payments.push(
    yield* run(
      occasion,
      "pay"
    )(Payments.use((payments) => payments.record(InvoiceId.make(unpaid.id), payment)))
  )
})

/** Now and then some instant since another one: what is recorded has happened before. */
const before = ({ draw, now }: Occasion, since: Instant): Instant | undefined => {
  const span = toEpochMillis(now) - toEpochMillis(since)
  return span > 0 && draw.percent(25) ? later(since, draw.below(span)) : undefined
}

/** The bank takes one of the payments back, and often asks for something itself. */
export const returnPayment = Effect.fnUntraced(function* (occasion: Occasion) {
  const { draw, sold } = occasion
  const [payment] = sold.payments.splice(draw.below(sold.payments.length || 1), 1)
  if (payment === undefined) return
  const returnedAt = before(occasion, payment.paidAt)
  yield* run(
    occasion,
    "return"
  )(
    PaymentReturns.use((returns) =>
      returns.record(payment.id, {
        reasonCode: "AC04",
        ...(returnedAt === undefined ? {} : { returnedAt }),
        ...(draw.percent(40) ? { fee: 100 + draw.below(900) } : {})
      })
    )
  )
})

/** Charges something once. What it asks for and for what is in its label, where the audit finds it. */
export const charge = Effect.fnUntraced(function* (occasion: Occasion) {
  const { draw, sold } = occasion
  const amount = 100 + draw.below(9_900)
  const componentId = draw.one(["CERTIFICATE", ...sold.product.perils.map(({ id }) => id)])
  const label = `${amount} of ${componentId}`
  yield* run(
    occasion,
    "charge"
  )(ManualCharges.use((charges) => charges.make(sold.policyId, { componentId, label, amount })))
})

/** Writes the oldest unpaid invoice off, or reverses an earlier write-off. */
export const writeOff = Effect.fnUntraced(function* (occasion: Occasion) {
  const lost = occasion.draw.percent(25) ? yield* writtenOff(occasion) : undefined
  const invoice = lost ?? (yield* oldestUnpaid(occasion))
  if (invoice === undefined) return
  const command = lost === undefined ? "write-off" : "reverse-write-off"
  yield* run(
    occasion,
    command
  )(
    InvoiceAdjustments.use((receivables) =>
      receivables.run(command, InvoiceId.make(invoice.id), { reason: occasion.name })
    )
  )
})

/** Credits what one of the invoices still charges. */
export const credit = Effect.fnUntraced(function* (occasion: Occasion) {
  const invoices = yield* invoicesOf(occasion)
  if (invoices.length === 0) return
  const { id } = occasion.draw.one(invoices)
  const input = { reason: occasion.name }
  yield* run(
    occasion,
    "credit"
  )(InvoiceAdjustments.use((receivables) => receivables.run("credit", InvoiceId.make(id), input)))
})

/** Pays a credit balance back, whole or in part. */
export const payOut = Effect.fnUntraced(function* (occasion: Occasion) {
  const { draw, name, sold } = occasion
  const { balances } = yield* run(
    occasion,
    "ledger"
  )(Billing.use((billing) => billing.ledger(sold.policyId, { count: 1, page: 1 })))
  const owed = balances.filter(
    ({ account, balance }) => account.startsWith("balance:") && balance < 0
  )
  if (owed.length === 0) return
  const { account, balance } = draw.one(owed)
  const refund = {
    customerId: CustomerId.make(account.slice("balance:".length)),
    amount: draw.percent(60) ? -balance : 1 + draw.below(-balance),
    method: "BANK_TRANSFER",
    reference: name
  } as const
  yield* run(occasion, "refund")(Refunds.use((refunds) => refunds.record(sold.policyId, refund)))
})
