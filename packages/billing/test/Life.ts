/** A worker's life in memory: runs the steps of a policy, issues, takes payments, keeps the books. */
import type { Currency } from "@quittance/domain/values/Amount"
import type { Account, Entry } from "@quittance/domain/billing/Entry"
import { fromEpochMillis, type Instant, max } from "@quittance/domain/values/Instant"
import { alphabet } from "@quittance/domain/values/PrefixedId"
import { type Billable, type InvoiceDraft, invoicesFor } from "../src/billing/InvoiceDrafts.ts"
import { dueMinusInvoiced } from "../src/billing/DueMinusInvoiced.ts"
import type { IssuedInvoice } from "../src/billing/InvoicedCharges.ts"
import {
  type BillingView,
  dueSteps,
  instalmentsOf,
  invoicedAs,
  nextDueAt,
  type StartStep
} from "../src/billing/DueSteps.ts"
import {
  type OpenInvoice,
  settle,
  settleCredit,
  type Settlement
} from "../src/billing/Settlement.ts"
import { forBalanceUsed } from "../src/billing/Postings.ts"
import { notedOf, type ReturnUpdate, returnPayment } from "../src/payments/Returns.ts"
import { type ChangeId, type CustomerId, InvoiceId } from "@quittance/domain/values/Ids"

export const currency = "EUR" as Currency // A literal of the form that the brand stands for.

/** The instalments of the policy's first invoice; with several payers one for each. */
export const firstInstalments = (view: BillingView) =>
  instalmentsOf({ ...view, terms: 1 }).filter(({ isFirst }) => isFirst)

export interface Kept {
  readonly draft: InvoiceDraft
  readonly invoice: OpenInvoice
}

export interface Life {
  readonly view: BillingView
  readonly kept: ReadonlyArray<Kept>
  readonly balances: ReadonlyMap<CustomerId, number>
  readonly entries: ReadonlyArray<Entry>
  readonly received: number
  readonly payments: ReadonlyArray<{ readonly payer: CustomerId; readonly settlement: Settlement }>
  readonly starts: ReadonlyArray<StartStep>
}

export const lifeOf = (view: BillingView): Life => ({
  view,
  kept: [],
  balances: new Map(),
  entries: [],
  received: 0,
  payments: [],
  starts: []
})

const invoiceId = (number: number): InvoiceId => {
  const digits = [...String(number)].map((digit) => alphabet[Number(digit)]!).join("")
  return InvoiceId.make(`invoice_test_${digits.padStart(21, "z")}`)
}

/** What is due by an instant, and when the first step after that comes. */
export const nextSteps = (view: BillingView, now: Instant) => {
  const due = dueSteps(view, now)
  const following = nextDueAt(view, now)
  return following === undefined ? { due } : { due, nextDueAt: following }
}

/** When the first step that is not yet done is due, also where that is past. */
export const firstDueAt = (view: BillingView): Instant | undefined =>
  nextDueAt(view, fromEpochMillis(0))

/** Everything due by an instant, as a worker does it that comes only now. */
export const run = (life: Life, now: Instant, rounds = 5): Life => {
  const due = dueSteps(life.view, now)
  if (due.length === 0) return life
  if (rounds === 0) throw new Error("Steps stay due however often they are taken.")
  const starts = due.flatMap((step) => (step.kind === "START" ? [step] : []))
  const instalments = due.flatMap((step) => (step.kind === "ISSUE" ? [step.instalment] : []))
  const issued = instalments.reduce((each, instalment) => issue(each, instalment, now), life)
  const next: Life = {
    ...issued,
    view: { ...issued.view, toStart: life.view.toStart && starts.length === 0 },
    starts: [...life.starts, ...starts]
  }
  return run(recordFirstPayment(next, now), now, rounds - 1)
}

/** The invoices that stand, as deciding on the next ones needs them. */
export const issuedBy = ({ kept }: Life): ReadonlyArray<IssuedInvoice> =>
  kept.map(({ draft: { key, lines }, invoice: { id } }) => ({ id, key, lines }))

/** What was agreed otherwise takes effect: what has been invoiced is corrected at once. */
export const change = (life: Life, view: BillingView, cause: ChangeId, now: Instant): Life =>
  dueMinusInvoiced(view, issuedBy(life)).corrections.reduce(
    (corrected, { payerCustomerId, period, term, ...correction }) => {
      const key = { term, payerCustomerId, periodStart: period.start, cause }
      return issue(corrected, { ...correction, key, period, dueOn: period.start }, now)
    },
    { ...life, view }
  )

const issue = (life: Life, billable: Billable, now: Instant): Life => {
  const { balances, kept, view } = life
  const [draft] = invoicesFor([billable], {
    issuedAt: now,
    timeZone: view.timeZone,
    dueDays: view.invoicing[0]!.settings.dueDays,
    currency,
    issued: kept.map((each) => each.draft.key),
    balances
  })
  if (draft === undefined) throw new Error("It is invoiced already.")
  const gained = new Map(balances)
  credit(gained, draft.key.payerCustomerId, draft.balanceChange)
  const next: Life = {
    ...life,
    view: { ...view, issued: [...view.issued, invoicedAs(draft)] },
    kept: [...kept, keep(draft, kept.length + 1)],
    balances: gained,
    entries: [...life.entries, ...draft.entries]
  }
  return draft.key.type === "CREDIT_NOTE" ? useCredit(next, draft) : next
}

/** A credit note settles the invoices that it corrects, then the payer's other unpaid ones. */
const useCredit = (life: Life, { issuedAt, key, lines, total }: InvoiceDraft): Life => {
  const payerCustomerId = key.payerCustomerId
  const corrected = new Map(lines.flatMap(({ corrects }) => invoices(life, corrects)))
  for (const { amount, corrects } of life.kept.flatMap(({ draft }) => draft.lines)) {
    for (const [id] of invoices(life, corrects)) {
      const sum = corrected.get(id)
      if (sum !== undefined) corrected.set(id, sum - amount.amountWithFeesAndTaxes)
    }
  }
  const amount = -total.amountWithFeesAndTaxes
  const open = life.kept
    .filter(({ draft }) => draft.key.type === "INVOICE")
    .map(({ invoice }) => invoice)
  const { updates, used } = settleCredit({ payerCustomerId, amount, issuedAt, corrected }, open)
  if (updates.length === 0) return life
  const balances = new Map(life.balances)
  credit(balances, payerCustomerId, -used)
  return {
    ...updated(life, updates),
    balances,
    entries: [...life.entries, forBalanceUsed(payerCustomerId, used, currency)]
  }
}

const invoices = (life: Life, id: string | undefined): ReadonlyArray<[InvoiceId, number]> =>
  life.kept
    .filter(({ draft, invoice }) => invoice.id === id && draft.key.type === "INVOICE")
    .map(({ invoice }) => [invoice.id, 0])

const updated = (life: Life, updates: ReadonlyArray<ReturnUpdate>): Life => ({
  ...life,
  kept: life.kept.map(({ draft, invoice }): Kept => {
    const update = updates.find(({ invoiceId }) => invoiceId === invoice.id)
    return { draft, invoice: { ...invoice, ...update } }
  })
})

const keep = (draft: InvoiceDraft, number: number): Kept => ({
  draft,
  invoice: {
    id: invoiceId(number),
    number: `INV-${number}`,
    payerCustomerId: draft.key.payerCustomerId,
    status: draft.status,
    issuedAt: draft.issuedAt,
    total: draft.total.amountWithFeesAndTaxes,
    amountPaid: draft.amountPaid
  }
})

const credit = (balances: Map<CustomerId, number>, payer: CustomerId, amount: number) =>
  balances.set(payer, (balances.get(payer) ?? 0) + amount)

/** A payment on one of the invoices that stand. */
export const pay = (life: Life, index: number, amount: number, paidAt: Instant): Life => {
  const open = life.kept
    .filter(({ draft }) => draft.key.type === "INVOICE")
    .map(({ invoice }) => invoice)
  const named = open[index % Math.max(1, open.length)]
  if (named === undefined) return life
  const settlement = settle({ amount, paidAt, currency }, named, open)
  const { creditBalance, entries, updates } = settlement
  const balances = new Map(life.balances)
  credit(balances, named.payerCustomerId, creditBalance)
  const paid: Life = {
    ...updated(life, updates),
    balances,
    entries: [...life.entries, ...entries],
    received: life.received + amount,
    payments: [...life.payments, { payer: named.payerCustomerId, settlement }]
  }
  return recordFirstPayment(paid, paidAt)
}

/** A bank takes a payment back. */
export const giveBack = (life: Life, index: number, returnedAt: Instant): Life => {
  const payment = life.payments[index % Math.max(1, life.payments.length)]
  if (payment === undefined) return life
  const { payer, settlement } = payment
  const { allocations, creditBalance } = settlement
  const settled = new Map<InvoiceId, number>()
  for (const { amount, invoiceId: id } of life.payments.flatMap(
    (each) => each.settlement.allocations
  ))
    settled.set(id, (settled.get(id) ?? 0) + amount)
  const all = life.kept.flatMap(({ draft }) => draft.lines)
  const corrected = new Map<InvoiceId, number>()
  for (const { amount, corrects } of all) {
    for (const [id] of invoices(life, corrects))
      corrected.set(id, (corrected.get(id) ?? 0) - amount.amountWithFeesAndTaxes)
  }
  const open = life.kept.filter(({ draft }) => draft.key.type === "INVOICE")
  const { balanceChange, entries, updates } = returnPayment(
    { payerCustomerId: payer, currency, allocations, surplus: creditBalance },
    {
      invoices: open.map(({ invoice }) => invoice),
      settled,
      balance: life.balances.get(payer) ?? 0,
      corrected,
      noted: notedOf(
        life.kept.map(({ draft: { lines, total } }) => ({
          lines,
          total: total.amountWithFeesAndTaxes
        }))
      )
    },
    returnedAt
  )
  const balances = new Map(life.balances)
  credit(balances, payer, balanceChange)
  const lost = allocations.reduce((sum, { amount }) => sum + amount, creditBalance)
  return {
    ...updated(life, updates),
    balances,
    entries: [...life.entries, ...entries],
    received: life.received - lost,
    payments: life.payments.filter((each) => each !== payment)
  }
}

/** Notes the first payment once every invoice of the first instalments is paid. */
const recordFirstPayment = (life: Life, at: Instant): Life => {
  if (life.view.firstPaidAt !== undefined) return life
  const isPaid = firstInstalments(life.view).every(({ key }) =>
    life.kept.some(
      ({ draft, invoice }) =>
        draft.key.cause === key.cause &&
        draft.key.term === key.term &&
        draft.key.periodStart === key.periodStart &&
        draft.key.payerCustomerId === key.payerCustomerId &&
        invoice.status === "PAID"
    )
  )
  return isPaid
    ? { ...life, view: { ...life.view, firstPaidAt: max(at, life.view.signedAt) } }
    : life
}

/** The sums of all entries, by account. */
export const ledger = ({ entries }: Life): ReadonlyMap<Account, bigint> => {
  const sums = new Map<Account, bigint>()
  for (const { postings } of entries) {
    for (const { account, amount } of postings) {
      sums.set(account, (sums.get(account) ?? 0n) + BigInt(amount))
    }
  }
  return sums
}
