/** Due minus invoiced: which documents are issued now, with their lines, states and entries. */
import * as Amount from "@quittance/domain/Amount"
import type { Currency } from "@quittance/domain/Amount"
import type { CustomerId } from "@quittance/domain/Customer"
import type { DocumentKey, DocumentLine } from "@quittance/domain/DocumentLine"
import type { Entry } from "@quittance/domain/Entry"
import type { Instant } from "@quittance/domain/Instant"
import type { DayRange, InvoiceStatus } from "@quittance/domain/Invoice"
import { addDays, type LocalDate, max } from "@quittance/domain/LocalDate"
import { localDate, type TimeZone } from "@quittance/domain/TimeZone"
import { Schema } from "effect"
import * as Postings from "./Postings.ts"
import type { InstalmentKey, PlannedInstalment } from "./Schedule.ts"

/** A document that stands, as far as deciding on the next ones needs it. */
export interface IssuedDocument {
  readonly key: InstalmentKey
  readonly lines: ReadonlyArray<DocumentLine>
}

/** A document to be written; its identifier and number are given when it is. */
export interface DocumentDraft {
  readonly key: DocumentKey
  readonly status: Extract<InvoiceStatus, "ISSUED" | "PARTIALLY_PAID" | "PAID">
  readonly issuedAt: Instant
  readonly dueOn: LocalDate
  readonly period: DayRange
  readonly currency: Currency
  readonly lines: ReadonlyArray<DocumentLine>
  readonly total: Amount.Amount
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
  readonly issued: ReadonlyArray<IssuedDocument>
  /** Credit balances of the payers, in minor units; they settle invoices as they are issued. */
  readonly balances: ReadonlyMap<CustomerId, number>
}

/**
 * A day would be billed twice: a line is due that overlaps an invoiced one without being the same. The
 * policy is parked with it; correcting what was invoiced is a decision of its own.
 */
export class OverlappingCharge extends Schema.TaggedError<OverlappingCharge>()(
  "OverlappingCharge",
  {
    componentId: Schema.String,
    start: Schema.String,
    end: Schema.String
  }
) {
  override get message() {
    return `Component ${this.componentId} is already invoiced within ${this.start} to ${this.end}; correct that document first.`
  }
}

/**
 * The documents of instalments whose day has come, in their order: what is due and not yet invoiced.
 * An instalment that is invoiced already makes none, so that a repetition does nothing.
 *
 * @throws OverlappingCharge where a day would be billed twice
 */
export const documentsFor = (
  instalments: ReadonlyArray<PlannedInstalment>,
  issuing: Issuing
): ReadonlyArray<DocumentDraft> => {
  const known = new Set(issuing.issued.map(({ key }) => keyText(key)))
  const balances = new Map(issuing.balances)
  const drafts: Array<DocumentDraft> = []
  for (const instalment of instalments) {
    const { key } = instalment
    if (known.has(keyText(key))) continue
    known.add(keyText(key))
    const lines = notInvoiced(instalment, issuing.issued)
    if (lines.length === 0) continue
    const available = balances.get(key.payerCustomerId) ?? 0
    const draft = draftOf(instalment, lines, available, issuing)
    balances.set(key.payerCustomerId, available + draft.balanceChange)
    drafts.push(draft)
  }
  return drafts
}

/** One text for one instalment of a policy. */
export const keyText = ({ cause, payerCustomerId, periodStart, term }: InstalmentKey): string =>
  `${term} ${payerCustomerId} ${periodStart} ${cause}`

const draftOf = (
  { dueOn, key, lines: all, period, total: planned }: PlannedInstalment,
  lines: ReadonlyArray<DocumentLine>,
  available: number,
  { currency, dueDays, issuedAt, timeZone }: Issuing
): DocumentDraft => {
  const payer = key.payerCustomerId
  const total =
    lines.length === all.length ? planned : Amount.sum(lines.map(({ amount }) => amount))
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

/** The lines of an instalment that no document has yet. */
const notInvoiced = (
  { key, lines }: PlannedInstalment,
  issued: ReadonlyArray<IssuedDocument>
): ReadonlyArray<DocumentLine> => {
  const standing = issued
    .filter((document) => document.key.term === key.term)
    .flatMap((document) =>
      document.lines.map((line) => ({ line, payer: document.key.payerCustomerId }))
    )
  return lines.filter((line) => {
    const touching = standing.filter((other) => touches(line, other.line))
    if (touching.length === 0) return true
    const same = touching.some(
      (other) => other.payer === key.payerCustomerId && isSameCharge(line, other.line)
    )
    if (same) return false
    const { end, start } = line.slice
    throw new OverlappingCharge({ componentId: line.componentId, start, end })
  })
}

const touches = (a: DocumentLine, b: DocumentLine): boolean =>
  a.componentId === b.componentId &&
  a.chargeType === b.chargeType &&
  (a.chargeType === "RECURRING" || a.quoteId === b.quoteId) &&
  a.slice.start < b.slice.end &&
  b.slice.start < a.slice.end

/** Same leaf, slice, price and basis: two texts of plain data that were made in the same way. */
const isSameCharge = (a: DocumentLine, b: DocumentLine): boolean =>
  a.slice.start === b.slice.start &&
  a.slice.end === b.slice.end &&
  a.basis?.period.start === b.basis?.period.start &&
  a.basis?.period.end === b.basis?.period.end &&
  isSameAmount(a.price, b.price)

/** Field by field, whatever the order of their keys: a stored amount may come back in another. */
const isSameAmount = (a: Amount.Amount, b: Amount.Amount): boolean =>
  a.amountPreFeesAndTaxes === b.amountPreFeesAndTaxes &&
  isSameList(a.fees, b.fees) &&
  isSameList(a.taxes, b.taxes)

const isSameList = (
  a: ReadonlyArray<Amount.Fee | Amount.Tax>,
  b: ReadonlyArray<Amount.Fee | Amount.Tax>
): boolean =>
  a.length === b.length &&
  a.every((leaf, index) => leaf.id === b[index]!.id && leaf.amount === b[index]!.amount)
