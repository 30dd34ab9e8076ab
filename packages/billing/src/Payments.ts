/** How received money settles invoices: the named one, then the payer's oldest, then credit balance. */
import type { Currency } from "@quittance/domain/Amount"
import type { CustomerId } from "@quittance/domain/Customer"
import type { Entry } from "@quittance/domain/Entry"
import type { Instant } from "@quittance/domain/Instant"
import { type InvoiceId, type InvoiceStatus, unpaidStatuses } from "@quittance/domain/Invoice"
import { InvalidAmount } from "@quittance/domain/Payment"
import * as Postings from "./Postings.ts"

/** An invoice of the policy, as far as settling needs it. */
export interface OpenInvoice {
  readonly id: InvoiceId
  readonly number: string
  readonly payerCustomerId: CustomerId
  readonly status: InvoiceStatus
  readonly issuedAt: Instant
  /** In minor units, fees and taxes included. */
  readonly total: number
  readonly amountPaid: number
}

export interface ReceivedPayment {
  /** In minor units, at least 1. */
  readonly amount: number
  readonly paidAt: Instant
  readonly currency: Currency
}

export interface InvoiceUpdate {
  readonly invoiceId: InvoiceId
  readonly status: Extract<InvoiceStatus, "PARTIALLY_PAID" | "PAID">
  readonly amountPaid: number
  /** Set where nothing is left to pay. */
  readonly paidAt?: Instant
}

export interface Settlement {
  readonly updates: ReadonlyArray<InvoiceUpdate>
  /** What each invoice took, in the order in which they were settled. */
  readonly allocations: ReadonlyArray<{ readonly invoiceId: InvoiceId; readonly amount: number }>
  /** What no invoice took: it is added to the payer's credit balance. */
  readonly creditBalance: number
  readonly entry: Entry
}

/**
 * A payment on an invoice. What is more than due there settles the payer's oldest unpaid invoices of
 * the policy, by issue and number; one with a payment in flight is passed over, or it might be paid
 * twice. The rest is credit balance. Nothing is lost: allocations and balance sum to the payment.
 *
 * @param others further invoices of the policy; those of other payers are left alone
 * @throws InvalidAmount below 1
 */
export const settle = (
  payment: ReceivedPayment,
  named: OpenInvoice,
  others: ReadonlyArray<OpenInvoice>
): Settlement => {
  if (!Number.isSafeInteger(payment.amount) || payment.amount < 1) {
    throw new InvalidAmount({ field: "amount", minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
  }
  const next = others
    .filter(
      ({ id, payerCustomerId, status }) =>
        id !== named.id &&
        payerCustomerId === named.payerCustomerId &&
        status !== "PAYMENT_IN_PROGRESS"
    )
    .sort(byAge)
  const updates: Array<InvoiceUpdate> = []
  const allocations: Array<{ invoiceId: InvoiceId; amount: number }> = []
  let left = payment.amount
  for (const invoice of [named, ...next]) {
    const amount = Math.min(left, amountDue(invoice))
    if (amount === 0) continue
    left -= amount
    allocations.push({ invoiceId: invoice.id, amount })
    updates.push(updateOf(invoice, amount, payment.paidAt))
  }
  return {
    updates,
    allocations,
    creditBalance: left,
    entry: Postings.forPayment(named.payerCustomerId, payment.amount - left, left, payment.currency)
  }
}

/** What is left to pay of an invoice; nothing in a state that no longer asks for money. */
export const amountDue = ({ amountPaid, status, total }: OpenInvoice): number =>
  unpaidStatuses.some((unpaid) => unpaid === status) ? Math.max(0, total - amountPaid) : 0

const updateOf = (invoice: OpenInvoice, amount: number, paidAt: Instant): InvoiceUpdate => {
  const amountPaid = invoice.amountPaid + amount
  return amountPaid === invoice.total
    ? { invoiceId: invoice.id, status: "PAID", amountPaid, paidAt }
    : { invoiceId: invoice.id, status: "PARTIALLY_PAID", amountPaid }
}

/** By issue, then number; of two numbers of one series the longer is the later. */
const byAge = (a: OpenInvoice, b: OpenInvoice): number => {
  if (a.issuedAt !== b.issuedAt) return a.issuedAt < b.issuedAt ? -1 : 1
  if (a.number.length !== b.number.length) return a.number.length - b.number.length
  return a.number < b.number ? -1 : 1
}
