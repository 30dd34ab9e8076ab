/**
 * How received money and credit notes settle invoices: the named or corrected ones, then the payer's
 * oldest, then credit balance.
 */
import type { Currency } from "@quittance/domain/values/Amount"
import type { Entry } from "@quittance/domain/billing/Entry"
import { type Instant, max as later } from "@quittance/domain/values/Instant"
import { type InvoiceStatus, unpaidStatuses } from "@quittance/domain/billing/Invoice"
import * as Postings from "./Postings.ts"
import type { CustomerId, InvoiceId } from "@quittance/domain/values/Ids"
import { InvalidAmount } from "@quittance/domain/requests/RequestErrors"

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
  /** When the latest payment came that settled a part of it, as far as that is known. */
  readonly lastPaidAt?: Instant | undefined
}

export interface ReceivedPayment {
  /** In minor units, at least 1. */
  readonly amount: number
  readonly paidAt: Instant
  readonly currency: Currency
}

export interface InvoiceUpdate {
  readonly invoiceId: InvoiceId
  readonly status: Extract<InvoiceStatus, "PARTIALLY_PAID" | "PAID" | "CREDITED" | "WRITTEN_OFF">
  readonly amountPaid: number
  /** When it was settled: the instant of the last payment, or of the credit note. */
  readonly paidAt?: Instant
}

export interface Settlement {
  readonly updates: ReadonlyArray<InvoiceUpdate>
  /** What each invoice took, in the order in which they were settled. */
  readonly allocations: ReadonlyArray<{ readonly invoiceId: InvoiceId; readonly amount: number }>
  /** What no invoice took: it is added to the payer's credit balance. */
  readonly creditBalance: number
  /** What has to be posted, in this order. */
  readonly entries: ReadonlyArray<Entry>
}

/**
 * A payment on an invoice. What is more than due there settles the payer's oldest unpaid invoices of
 * the policy, by issue and number; one with a payment in progress is passed over, or it might be paid
 * twice. The rest is credit balance. Allocations and balance sum to the payment. `Postings.forPayment` posts
 * it: `cash` is debited, the receivable and the balance of the payer are credited.
 *
 * An invoice that was written off takes a payment that names it, up to what is open. Its write-off is
 * reversed by that amount first, so that the payer gets no credit for a debt. It stays `WRITTEN_OFF` until
 * it is paid as a whole. A surplus never settles an invoice that was written off.
 *
 * @param others further invoices of the policy; those of other payers are left alone
 * @throws InvalidAmount below 1
 */
export const settle = (
  payment: ReceivedPayment,
  named: OpenInvoice,
  others: ReadonlyArray<OpenInvoice>
): Settlement => settleAll(payment, [named], others)

/** The same of a payment that names several invoices of one payer: each takes what it asks for, in turn. */
export const settleAll = (
  payment: ReceivedPayment,
  named: readonly [OpenInvoice, ...ReadonlyArray<OpenInvoice>],
  others: ReadonlyArray<OpenInvoice>
): Settlement => {
  if (!Number.isSafeInteger(payment.amount) || payment.amount < 1) {
    throw new InvalidAmount({ field: "amount", minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
  }
  const payer = named[0].payerCustomerId
  const names = new Set(named.map(({ id }) => id))
  const next = withoutPaymentInProgress(payer, others).filter(({ id }) => !names.has(id))
  const taken = fill(payment.amount, [...named, ...next.toSorted(byAge)], (invoice) =>
    names.has(invoice.id) && isWrittenOff(invoice) ? openOf(invoice) : amountDue(invoice)
  )
  const left = taken.reduce((rest, { amount }) => rest - amount, payment.amount)
  const { recovered } = sumsOf(taken)
  return {
    updates: taken.map(({ amount, invoice }) => updateOf(invoice, amount, payment.paidAt)),
    allocations: taken.map(({ amount, invoice }) => ({ invoiceId: invoice.id, amount })),
    creditBalance: left,
    entries: [
      ...(recovered > 0 ? [Postings.forWriteOffReversed(payer, recovered, payment.currency)] : []),
      Postings.forPayment(payer, payment.amount - left, left, payment.currency)
    ]
  }
}

/** A credit note that was issued: its amount is on the payer's credit balance. */
export interface ReceivedCredit {
  readonly payerCustomerId: CustomerId
  /** In minor units. */
  readonly amount: number
  readonly issuedAt: Instant
  /** The invoices that it corrects, with all that has been credited of them, this note included. */
  readonly corrected: ReadonlyMap<InvoiceId, number>
  /** What this note credits on each invoice; absent where a credit balance is used and no note. */
  readonly credited?: ReadonlyMap<InvoiceId, number>
}

export interface CreditUse {
  readonly updates: ReadonlyArray<InvoiceUpdate>
  /** What invoices took of the credit balance. */
  readonly used: number
  /** The part used on written-off invoices: their write-off is reversed by this amount. */
  readonly recovered: number
}

/**
 * What a credit note settles: the invoices that it corrects, then the payer's other unpaid invoices of the
 * policy, each by age and never one with a payment in progress. The rest stays on the credit balance. An
 * invoice that is credited as a whole is `CREDITED`, even if a part of it was paid. Crediting a written-off
 * invoice reverses its write-off by that amount: the payer gets no credit for money that they never paid.
 *
 * @param invoices those of the policy; other payers' are left alone
 */
export const settleCredit = (
  { amount, corrected, issuedAt, payerCustomerId, credited }: ReceivedCredit,
  invoices: ReadonlyArray<OpenInvoice>
): CreditUse => {
  const rank = ({ id }: OpenInvoice) => (corrected.has(id) ? 0 : 1)
  const next = withoutPaymentInProgress(payerCustomerId, invoices).toSorted(
    (a, b) => rank(a) - rank(b) || byAge(a, b)
  )
  const taken = fill(amount, next, (invoice) =>
    isWrittenOff(invoice)
      ? Math.min(openOf(invoice), credited?.get(invoice.id) ?? 0)
      : amountDue(invoice)
  )
  return {
    updates: taken.map(({ amount: part, invoice }) => {
      const update = updateOf(invoice, part, issuedAt)
      const isCredited = (corrected.get(invoice.id) ?? 0) >= invoice.total
      return update.status === "PAID" && isCredited ? { ...update, status: "CREDITED" } : update
    }),
    ...sumsOf(taken)
  }
}

const isWrittenOff = ({ status }: OpenInvoice): boolean => status === "WRITTEN_OFF"

/** What is not paid of an invoice, whether or not it is still asked for. */
const openOf = ({ amountPaid, total }: OpenInvoice): number => total - amountPaid

/** What invoices took, and how much of it those that were written off. */
const sumsOf = (taken: ReturnType<typeof fill>): Pick<CreditUse, "used" | "recovered"> => {
  const sumOf = (parts: typeof taken) => parts.reduce((sum, { amount }) => sum + amount, 0)
  return {
    used: sumOf(taken),
    recovered: sumOf(taken.filter(({ invoice }) => isWrittenOff(invoice)))
  }
}

/** The invoices of a payer without a payment in progress. */
const withoutPaymentInProgress = (
  payer: CustomerId,
  invoices: ReadonlyArray<OpenInvoice>
): ReadonlyArray<OpenInvoice> =>
  invoices.filter(
    ({ payerCustomerId, status }) => payerCustomerId === payer && status !== "PAYMENT_IN_PROGRESS"
  )

/** What each invoice takes of an amount, one after the other. */
const fill = (
  amount: number,
  invoices: ReadonlyArray<OpenInvoice>,
  open: (invoice: OpenInvoice) => number = amountDue
): ReadonlyArray<{ readonly invoice: OpenInvoice; readonly amount: number }> => {
  let left = amount
  return invoices.flatMap((invoice) => {
    const part = Math.min(left, open(invoice))
    left -= part
    return part === 0 ? [] : [{ invoice, amount: part }]
  })
}

/** What is left to pay of an invoice; nothing in a state that no longer asks for money. */
export const amountDue = ({ amountPaid, status, total }: OpenInvoice): number =>
  unpaidStatuses.some((unpaid) => unpaid === status) ? Math.max(0, total - amountPaid) : 0

const updateOf = (invoice: OpenInvoice, amount: number, paidAt: Instant): InvoiceUpdate => {
  const amountPaid = invoice.amountPaid + amount
  return amountPaid === invoice.total
    ? {
        invoiceId: invoice.id,
        status: "PAID",
        amountPaid,
        paidAt: later(paidAt, invoice.lastPaidAt ?? paidAt)
      }
    : {
        invoiceId: invoice.id,
        status: isWrittenOff(invoice) ? "WRITTEN_OFF" : "PARTIALLY_PAID",
        amountPaid
      }
}

/** By issue, then number. Within a series a longer number is later. */
const byAge = (a: OpenInvoice, b: OpenInvoice): number => {
  if (a.issuedAt !== b.issuedAt) return a.issuedAt < b.issuedAt ? -1 : 1
  if (a.number.length !== b.number.length) return a.number.length - b.number.length
  return a.number < b.number ? -1 : 1
}
