/** Issues invoices and credit notes: the stored record, its ledger entries, and what a credit note settles. */
import type { InvoiceSummary, StoredInvoice } from "@quittance/domain/billing/StoredInvoice"
import { type InvoiceDraft, invoicesFor } from "../InvoiceDrafts.ts"
import { type OpenInvoice, settleCredit } from "../Settlement.ts"
import { forBalanceUsed, forWriteOffReversed } from "../Postings.ts"
import type { PlannedInstalment } from "../Schedule.ts"
import type { Entry, StoredEntry } from "@quittance/domain/billing/Entry"
import type { MakeId } from "@quittance/domain/values/PrefixedId"
import type { Job } from "@quittance/domain/billing/Job"
import { Schema } from "effect"
import { type PolicyAccount, keyOf } from "./PolicyAccount.ts"
import { numberText, seriesOf } from "@quittance/domain/billing/InvoiceNumber"
import { baseState } from "@quittance/domain/policies/aggregate/BaseTimeline"
import { InvoiceId } from "@quittance/domain/values/Ids"

/** An invoice before it has its number. */
export type UnnumberedInvoice = Omit<StoredInvoice, "collection" | "number">

/** The lines of invoices that stand, as far as they are needed. */
export type LinesOfInvoices = ReadonlyMap<InvoiceSummary["id"], StoredInvoice["lines"]>

/** What is issued on an account, and what that does to it. */
export interface Issued {
  readonly account: PolicyAccount
  readonly lines: LinesOfInvoices
  readonly issued: ReadonlyArray<UnnumberedInvoice>
  readonly entries: ReadonlyArray<StoredEntry>
  readonly ran: ReadonlyArray<Job>
}

/** Issues the invoice of an instalment or a correction; a credit note settles what it can. */
export const issue = <A extends Issued>(
  result: A,
  instalment: PlannedInstalment,
  makeId: MakeId
): A => {
  const { balances, invoices, policy } = result.account
  const product = policy.productOf(baseState(policy))
  const [draft] = invoicesFor([instalment], {
    issuedAt: policy.now,
    timeZone: product.timeZone,
    dueDays: product.invoicing.dueDays,
    currency: product.currency,
    issued: invoices.map(keyOf),
    balances
  })
  if (draft === undefined) {
    throw new Error(`The instalment from ${instalment.period.start} is due, but already invoiced.`)
  }
  const invoice = invoiceOf(result.account, instalment, draft, makeId)
  const balance = (balances.get(invoice.customerId) ?? 0) + draft.balanceChange
  const issued: A = {
    ...result,
    account: {
      ...result.account,
      // Its number is given when everything is decided; no decision depends on it.
      invoices: [...invoices, { ...invoice, number: 0 }],
      balances: new Map(balances).set(invoice.customerId, balance)
    },
    lines: new Map(result.lines).set(invoice.id, invoice.lines),
    issued: [...result.issued, invoice],
    entries: [...result.entries, ...entriesOf(draft.entries, invoice, makeId)],
    ran: [...result.ran, "issueInvoices"]
  }
  return invoice.type === "CREDIT_NOTE" ? withCredit(issued, invoice, makeId) : issued
}

/** What a credit note settles: the invoices that it corrects, then the payer's other unpaid ones. */
const withCredit = <A extends Issued>(result: A, note: UnnumberedInvoice, makeId: MakeId): A => {
  const { balances, invoices } = result.account
  const { recovered, updates, used } = settleCredit(
    {
      payerCustomerId: note.customerId,
      amount: -note.total,
      issuedAt: note.issuedAt,
      corrected: correctedBy(note, result.lines),
      credited: creditedOf(new Map([[note.id, note.lines]]))
    },
    invoices.filter(({ type }) => type === "INVOICE").map(openInvoice)
  )
  if (updates.length === 0) return result
  const settlements = new Map<string, Pick<StoredInvoice, "status" | "paid" | "paidAt">>(
    updates.map(({ amountPaid, invoiceId, paidAt = null, status }) => [
      invoiceId,
      { status, paid: amountPaid, paidAt }
    ])
  )
  const settled = <D extends { readonly id: string }>(invoice: D): D => ({
    ...invoice,
    ...settlements.get(invoice.id)
  })
  const balance = (balances.get(note.customerId) ?? 0) - used
  const entries = [
    ...(recovered > 0 ? [forWriteOffReversed(note.customerId, recovered, note.currency)] : []),
    forBalanceUsed(note.customerId, used, note.currency)
  ]
  return {
    ...result,
    account: {
      ...result.account,
      invoices: invoices.map(settled),
      balances: new Map(balances).set(note.customerId, balance)
    },
    issued: result.issued.map(settled),
    entries: [...result.entries, ...entriesOf(entries, note, makeId)]
  }
}

/** The invoices that a credit note corrects, with all that has been credited of each by now. */
const correctedBy = (
  note: UnnumberedInvoice,
  lines: LinesOfInvoices
): ReadonlyMap<InvoiceId, number> => {
  const all = creditedOf(lines)
  return new Map(invoicesCorrectedBy(note.lines).map((id) => [id, all.get(id) ?? 0]))
}

/** What has been credited of each invoice that one of these invoices corrects. */
export const creditedOf = (lines: LinesOfInvoices): ReadonlyMap<InvoiceId, number> => {
  const credited = new Map<InvoiceId, number>()
  for (const { amount, corrects } of [...lines.values()].flat()) {
    if (!isInvoiceId(corrects)) continue
    credited.set(corrects, (credited.get(corrects) ?? 0) - amount.amountWithFeesAndTaxes)
  }
  return credited
}

const invoicesCorrectedBy = (lines: StoredInvoice["lines"]): ReadonlyArray<InvoiceId> => [
  ...new Set(
    // A charge may be corrected on a credit note too, where it was part of one.
    lines.flatMap(({ corrects }) => (isInvoiceId(corrects) ? [corrects] : []))
  )
]

const isInvoiceId = Schema.is(InvoiceId)

const invoiceOf = (
  { policy }: PolicyAccount,
  { isFirst, issueOn }: PlannedInstalment,
  { amountPaid, dueOn, key, lines, period, total, ...draft }: InvoiceDraft,
  makeId: MakeId
): UnnumberedInvoice => {
  const [corrected, ...others] = invoicesCorrectedBy(lines)
  const isCredit = key.type === "CREDIT_NOTE"
  return {
    id: isCredit ? makeId("credit_note") : makeId("invoice"),
    policyId: policy.head.id,
    customerId: key.payerCustomerId,
    type: key.type,
    series: seriesOf[key.type],
    status: draft.status,
    currency: draft.currency,
    term: key.term,
    periodStart: period.start,
    periodEnd: period.end,
    cause: key.cause,
    isFirst,
    plannedOn: issueOn,
    issuedAt: draft.issuedAt,
    dueOn,
    total: total.amountWithFeesAndTaxes,
    paid: amountPaid,
    amount: total,
    lines,
    paidAt: draft.paidAt ?? null,
    creditedInvoiceId: isCredit && others.length === 0 ? (corrected ?? null) : null
  }
}

/** An invoice as far as settling needs it. */
export const openInvoice = (row: InvoiceSummary): OpenInvoice => ({
  // Only invoices are settled; credit notes were left out.
  id: row.id as InvoiceId,
  number: numberText(row),
  payerCustomerId: row.customerId,
  status: row.status,
  issuedAt: row.issuedAt,
  total: row.total,
  amountPaid: row.paid
})

const entriesOf = (
  entries: ReadonlyArray<Entry>,
  invoice: UnnumberedInvoice,
  makeId: MakeId
): ReadonlyArray<StoredEntry> =>
  entries.map((entry) => {
    const at = { occurredAt: invoice.issuedAt, recordedAt: invoice.issuedAt }
    return entryRow(entry, invoice, invoice.id, at, makeId)
  })

/** The row of an entry: who it concerns, what it posts, and when. */
export const entryRow = (
  { currency, kind, postings }: Entry,
  { customerId, policyId }: Pick<StoredInvoice, "customerId" | "policyId">,
  sourceId: string,
  at: Pick<StoredEntry, "occurredAt" | "recordedAt">,
  makeId: MakeId
): StoredEntry => ({
  id: makeId("entry"),
  policyId,
  customerId,
  kind,
  sourceId,
  ...at,
  currency,
  accounts: postings.map(({ account }) => account),
  amounts: postings.map(({ amount }) => amount)
})
