/** The invoices that are issued now, with their states and entries. */
import type { Amount, Currency } from "@quittance/domain/values/Amount"
import {
  type BilledLine,
  type InvoiceKey,
  isRepayment
} from "@quittance/domain/billing/InvoiceLine"
import type { Entry } from "@quittance/domain/billing/Entry"
import type { Instant } from "@quittance/domain/values/Instant"
import type { DayRange, InvoiceStatus } from "@quittance/domain/billing/Invoice"
import { addDays, type LocalDate, max } from "@quittance/domain/values/LocalDate"
import { localDate, type TimeZone } from "@quittance/domain/values/TimeZone"
import * as Postings from "./Postings.ts"
import type { InstalmentKey, PlannedInstalment } from "./Schedule.ts"
import type { CustomerId } from "@quittance/domain/values/Ids"

/** What one invoice is made of: an instalment whose day has come, or a correction. */
export type Billable = Pick<PlannedInstalment, "dueOn" | "key" | "lines" | "period" | "total">

/** An invoice to be written; its identifier and number are given when it is. */
export interface InvoiceDraft {
  readonly key: InvoiceKey
  readonly status: Extract<InvoiceStatus, "ISSUED" | "PARTIALLY_PAID" | "PAID">
  readonly issuedAt: Instant
  readonly dueOn: LocalDate
  readonly period: DayRange
  readonly currency: Currency
  readonly lines: ReadonlyArray<BilledLine>
  readonly total: Amount
  readonly amountPaid: number
  /** What the payer's credit balance gains by a credit note, or loses by settling an invoice. */
  readonly balanceChange: number
  /** Set where nothing is left to pay. */
  readonly paidAt?: Instant
  /** To be written with it: the invoice, then the credit balance that it used. */
  readonly entries: ReadonlyArray<Entry>
}

export interface InvoiceIssue {
  /** When the invoices are issued: now, also when they were planned earlier. */
  readonly issuedAt: Instant
  readonly timeZone: TimeZone
  readonly dueDays: number
  readonly currency: Currency
  /** The keys of the invoices that stand. */
  readonly issued: ReadonlyArray<InstalmentKey>
  /** Credit balances of the payers, in minor units; they settle invoices as they are issued. */
  readonly balances: ReadonlyMap<CustomerId, number>
}

/**
 * The invoices of what is billed now, in its order. What has its invoice makes none, so that a
 * repetition does nothing.
 */
export const invoicesFor = (
  billables: ReadonlyArray<Billable>,
  issuing: InvoiceIssue
): ReadonlyArray<InvoiceDraft> => {
  const known = new Set(issuing.issued.map(keyText))
  const balances = new Map(issuing.balances)
  const drafts: Array<InvoiceDraft> = []
  for (const billable of billables) {
    const { key } = billable
    if (known.has(keyText(key))) continue
    known.add(keyText(key))
    const available = balances.get(key.payerCustomerId) ?? 0
    const draft = draftOf(billable, available, issuing)
    balances.set(key.payerCustomerId, available + draft.balanceChange)
    drafts.push(draft)
  }
  return drafts
}

/** One text for one invoice of a policy. */
export const keyText = ({ cause, payerCustomerId, periodStart, term }: InstalmentKey): string =>
  `${term} ${payerCustomerId} ${periodStart} ${cause}`

const draftOf = (
  { dueOn, key, lines, period, total }: Billable,
  available: number,
  { currency, dueDays, issuedAt, timeZone }: InvoiceIssue
): InvoiceDraft => {
  const payer = key.payerCustomerId
  const owed = total.amountWithFeesAndTaxes
  const toBalance = isRepayment(key.cause, total) ? owed : 0
  // A refund is owed back where the balance is below nothing, and what makes that good is no money to use.
  const amountPaid = toBalance > 0 ? 0 : Math.max(0, Math.min(available, owed))
  const invoice =
    toBalance > 0
      ? Postings.forRepayment(payer, owed, currency)
      : Postings.forInvoice(payer, total, currency)
  return {
    key: { ...key, type: owed < 0 ? "CREDIT_NOTE" : "INVOICE" },
    status: amountPaid >= owed ? "PAID" : amountPaid > 0 ? "PARTIALLY_PAID" : "ISSUED",
    issuedAt,
    dueOn: max(dueOn, addDays(localDate(issuedAt, timeZone), dueDays)),
    period,
    currency,
    lines,
    total,
    amountPaid,
    balanceChange: owed < 0 ? -owed : toBalance - amountPaid,
    ...(amountPaid >= owed ? { paidAt: issuedAt } : {}),
    entries: [
      ...(invoice.postings.length > 0 ? [invoice] : []),
      ...(amountPaid > 0 ? [Postings.forBalanceUsed(payer, amountPaid, currency)] : [])
    ]
  }
}
