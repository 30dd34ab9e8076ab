/** The effects of a payment that the bank returned: what it settled is owed again, its surplus is gone. */
import type { Currency } from "@quittance/domain/values/Amount"
import type { Entry } from "@quittance/domain/billing/Entry"
import type { Instant } from "@quittance/domain/values/Instant"
import type { InvoiceStatus } from "@quittance/domain/billing/Invoice"
import type { BilledLine } from "@quittance/domain/billing/InvoiceLine"
import { type InvoiceUpdate, type OpenInvoice, settleCredit } from "../billing/Settlement.ts"
import * as Postings from "../billing/Postings.ts"
import type { CustomerId, InvoiceId } from "@quittance/domain/values/Ids"

/** A payment as it settled invoices; what none took was its surplus. */
export interface SettledPayment {
  readonly payerCustomerId: CustomerId
  readonly currency: Currency
  readonly allocations: ReadonlyArray<{ readonly invoiceId: InvoiceId; readonly amount: number }>
  /** In minor units. */
  readonly surplus: number
  /** Whether the payer says that they never agreed to it: what it settled is then disputed. */
  readonly isDisputed?: boolean
}

/** What a return is judged by: the payer's side of the policy's books before it. */
export interface PolicyLedger {
  /** The policy's invoices; those of other payers are left alone. */
  readonly invoices: ReadonlyArray<OpenInvoice>
  /** What payments that stand settled of each invoice, the returned one included. */
  readonly settled: ReadonlyMap<InvoiceId, number>
  /** The payer's credit balance; below nothing where they owe it. */
  readonly balance: number
  /** The credited amounts of each invoice that later invoices correct. */
  readonly corrected: ReadonlyMap<InvoiceId, number>
  /** How much of that credit notes gave: an invoice that corrects another has asked for the less. */
  readonly noted: ReadonlyMap<string, number>
}

export interface ReturnUpdate {
  readonly invoiceId: InvoiceId
  readonly status: InvoiceStatus
  readonly amountPaid: number
  readonly paidAt?: Instant
}

export interface ReturnedPayment {
  /** How invoices stand then, those that changed. */
  readonly updates: ReadonlyArray<ReturnUpdate>
  readonly balanceChange: number
  /** What was paid out of the balance and is missing there now: it has to be asked for back. */
  readonly toRepay: number
  readonly entries: ReadonlyArray<Entry>
}

/**
 * A returned payment. The invoices that it settled are owed again. Its surplus leaves the credit balance;
 * where that was used already, the invoices that it settled are owed again too, the newest first: before
 * all else what no credit note has given back of them, then the rest. What was paid out has to be asked
 * for back. What was written off of an invoice that is owed again is owed, too. A balance that is left
 * settles what is open again, as a credit does.
 */
export const returnPayment = (
  payment: SettledPayment,
  books: PolicyLedger,
  returnedAt: Instant
): ReturnedPayment => {
  const { allocations, currency, payerCustomerId: payer, surplus } = payment
  const lost = new Map(allocations.map(({ amount, invoiceId }) => [invoiceId, amount]))
  const own = books.invoices.filter(({ payerCustomerId }) => payerCustomerId === payer)
  const unpaid = payment.isDisputed === true ? "PAYMENT_DISPUTED" : "PAYMENT_FAILED"
  const reopened = own.map((invoice) => less(invoice, lost.get(invoice.id) ?? 0, unpaid))
  const missing = Math.max(0, surplus - Math.max(0, books.balance))
  const byBalance = ({ amountPaid, id }: OpenInvoice): number =>
    Math.max(0, amountPaid - (books.settled.get(id) ?? 0) + (lost.get(id) ?? 0))
  const first = restore(reopened, missing, (invoice) =>
    Math.max(0, byBalance(invoice) - (books.noted.get(invoice.id) ?? 0))
  )
  const second = restore(first.invoices, missing - first.restored, byBalance)
  const exposed = second.invoices
  const restored = first.restored + second.restored
  const left = books.balance - surplus + restored
  const { recovered, updates, used } = settleCredit(
    {
      payerCustomerId: payer,
      amount: Math.max(0, left),
      issuedAt: returnedAt,
      corrected: books.corrected
    },
    exposed
  )
  const settled = allocations.reduce((sum, { amount }) => sum + amount, 0)
  const owedAgain = own.filter(
    ({ status }, index) => status === "WRITTEN_OFF" && exposed[index]!.status !== status
  )
  const given = owedAgain.reduce((sum, { amountPaid, total }) => sum + total - amountPaid, 0)
  return {
    updates: changesOf(own, exposed, updates),
    balanceChange: restored - surplus - used,
    toRepay: Math.max(0, -left),
    entries: [
      Postings.forReturn(payer, settled, surplus, currency),
      ...(given + recovered > 0
        ? [Postings.forWriteOffReversed(payer, given + recovered, currency)]
        : []),
      ...(restored > 0 ? [Postings.forBalanceRestored(payer, restored, currency)] : []),
      ...(used > 0 ? [Postings.forBalanceUsed(payer, used, currency)] : [])
    ]
  }
}

/** An invoice of the policy, as far as it gives back what others charge. */
export interface Giving {
  /** In minor units; below nothing where it gives. */
  readonly total: number
  readonly lines: ReadonlyArray<Pick<BilledLine, "amount" | "corrects">>
}

/** How much credit notes gave for what they credit of each invoice, none more than its total. */
export const notedOf = (invoices: ReadonlyArray<Giving>): ReadonlyMap<string, number> => {
  const noted = new Map<string, number>()
  for (const { lines, total } of invoices) {
    let left = Math.max(0, -total)
    for (const { amount, corrects } of lines) {
      const part = Math.min(left, Math.max(0, -amount.amountWithFeesAndTaxes))
      if (corrects === undefined || part === 0) continue
      noted.set(corrects, (noted.get(corrects) ?? 0) + part)
      left -= part
    }
  }
  return noted
}

/** An invoice with less paid of it: owed again, whatever it stood at. */
const less = (
  invoice: OpenInvoice,
  amount: number,
  unpaid: "PAYMENT_DISPUTED" | "PAYMENT_FAILED"
): OpenInvoice => {
  if (amount === 0) return invoice
  const amountPaid = invoice.amountPaid - amount
  return { ...invoice, amountPaid, status: amountPaid === 0 ? unpaid : "PARTIALLY_PAID" }
}

const refillable = new Set<InvoiceStatus>(["PAID", "PARTIALLY_PAID", "WRITTEN_OFF"])

/** Invoices that the balance had settled, the newest first. */
const restore = (
  invoices: ReadonlyArray<OpenInvoice>,
  missing: number,
  byBalance: (invoice: OpenInvoice) => number
): { readonly invoices: ReadonlyArray<OpenInvoice>; readonly restored: number } => {
  let left = missing
  const taken = new Map<InvoiceId, number>()
  const candidates = invoices.filter(({ status }) => refillable.has(status)).toReversed()
  for (const invoice of candidates) {
    const part = Math.min(left, byBalance(invoice))
    if (part > 0) taken.set(invoice.id, part)
    left -= part
  }
  return {
    invoices: invoices.map((invoice) => {
      const part = taken.get(invoice.id) ?? 0
      if (part === 0) return invoice
      const amountPaid = invoice.amountPaid - part
      return { ...invoice, amountPaid, status: amountPaid === 0 ? "ISSUED" : "PARTIALLY_PAID" }
    }),
    restored: missing - left
  }
}

const changesOf = (
  before: ReadonlyArray<OpenInvoice>,
  after: ReadonlyArray<OpenInvoice>,
  settled: ReadonlyArray<InvoiceUpdate>
): ReadonlyArray<ReturnUpdate> => {
  const last = new Map(settled.map((update) => [update.invoiceId, update]))
  return after.flatMap(({ amountPaid, id, status }, index): ReadonlyArray<ReturnUpdate> => {
    const update = last.get(id)
    if (update !== undefined) return [update]
    return after[index] === before[index] ? [] : [{ invoiceId: id, status, amountPaid }]
  })
}
