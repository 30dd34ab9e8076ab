/** The documents that are issued now, with their states and entries. */
import type { Amount, Currency } from "@quittance/domain/values/Amount"
import type { CustomerId } from "@quittance/domain/customers/Customer"
import type { DocumentKey, DocumentLine } from "@quittance/domain/billing/InvoiceLine"
import type { Entry } from "@quittance/domain/billing/Entry"
import type { Instant } from "@quittance/domain/values/Instant"
import type { DayRange, InvoiceStatus } from "@quittance/domain/billing/Invoice"
import { addDays, type LocalDate, max } from "@quittance/domain/values/LocalDate"
import { localDate, type TimeZone } from "@quittance/domain/values/TimeZone"
import * as Postings from "./Postings.ts"
import type { InstalmentKey, PlannedInstalment } from "./Schedule.ts"

/** What one document is made of: an instalment whose day has come, or a correction. */
export type Billable = Pick<PlannedInstalment, "dueOn" | "key" | "lines" | "period" | "total">

/** A document to be written; its identifier and number are given when it is. */
export interface DocumentDraft {
  readonly key: DocumentKey
  readonly status: Extract<InvoiceStatus, "ISSUED" | "PARTIALLY_PAID" | "PAID">
  readonly issuedAt: Instant
  readonly dueOn: LocalDate
  readonly period: DayRange
  readonly currency: Currency
  readonly lines: ReadonlyArray<DocumentLine>
  readonly total: Amount
  readonly amountPaid: number
  /** What the payer's credit balance gains by a credit note, or loses by settling an invoice. */
  readonly balanceChange: number
  /** Set where nothing is left to pay. */
  readonly paidAt?: Instant
  /** To be written with it: the document, then the credit balance that it used. */
  readonly entries: ReadonlyArray<Entry>
}

export interface Issuing {
  /** When the documents are issued: now, also when they were planned earlier. */
  readonly issuedAt: Instant
  readonly timeZone: TimeZone
  readonly dueDays: number
  readonly currency: Currency
  /** The keys of the documents that stand. */
  readonly issued: ReadonlyArray<InstalmentKey>
  /** Credit balances of the payers, in minor units; they settle invoices as they are issued. */
  readonly balances: ReadonlyMap<CustomerId, number>
}

/**
 * The documents of what is billed now, in its order. What has its document makes none, so that a
 * repetition does nothing.
 */
export const documentsFor = (
  billables: ReadonlyArray<Billable>,
  issuing: Issuing
): ReadonlyArray<DocumentDraft> => {
  const known = new Set(issuing.issued.map(keyText))
  const balances = new Map(issuing.balances)
  const drafts: Array<DocumentDraft> = []
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

/** One text for one document of a policy. */
export const keyText = ({ cause, payerCustomerId, periodStart, term }: InstalmentKey): string =>
  `${term} ${payerCustomerId} ${periodStart} ${cause}`

const draftOf = (
  { dueOn, key, lines, period, total }: Billable,
  available: number,
  { currency, dueDays, issuedAt, timeZone }: Issuing
): DocumentDraft => {
  const payer = key.payerCustomerId
  const owed = total.amountWithFeesAndTaxes
  const amountPaid = Math.max(0, Math.min(available, owed))
  const document = Postings.forDocument(payer, total, currency)
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
    balanceChange: owed < 0 ? -owed : 0 - amountPaid,
    ...(amountPaid >= owed ? { paidAt: issuedAt } : {}),
    entries: [
      ...(document.postings.length > 0 ? [document] : []),
      ...(amountPaid > 0 ? [Postings.forBalanceUsed(payer, amountPaid, currency)] : [])
    ]
  }
}
