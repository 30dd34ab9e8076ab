/** A worker's life in memory: runs the steps of a policy, issues, takes payments, keeps the books. */
import type { Currency } from "@quittance/domain/Amount"
import type { CustomerId } from "@quittance/domain/Customer"
import type { Account, Entry } from "@quittance/domain/Entry"
import { type Instant, max } from "@quittance/domain/Instant"
import { InvoiceId } from "@quittance/domain/Invoice"
import { alphabet } from "@quittance/domain/PrefixedId"
import { type DocumentDraft, documentsFor } from "../src/Documents.ts"
import { type BillingView, firstInstalments, nextSteps, type StartStep } from "../src/NextSteps.ts"
import { type OpenInvoice, settle } from "../src/Payments.ts"

export const currency = "EUR" as Currency // A literal of the form that the brand stands for.

export interface Kept {
  readonly draft: DocumentDraft
  readonly invoice: OpenInvoice
}

export interface Life {
  readonly view: BillingView
  readonly kept: ReadonlyArray<Kept>
  readonly balances: ReadonlyMap<CustomerId, number>
  readonly entries: ReadonlyArray<Entry>
  readonly received: number
  readonly starts: ReadonlyArray<StartStep>
}

export const lifeOf = (view: BillingView): Life => ({
  view,
  kept: [],
  balances: new Map(),
  entries: [],
  received: 0,
  starts: []
})

const invoiceId = (number: number): InvoiceId => {
  const digits = [...String(number)].map((digit) => alphabet[Number(digit)]!).join("")
  return InvoiceId.make(`invoice_test_${digits.padStart(21, "z")}`)
}

/** Everything due by an instant, as a worker does it that comes only now. */
export const run = (life: Life, now: Instant, rounds = 5): Life => {
  const { due } = nextSteps(life.view, now)
  if (due.length === 0) return life
  if (rounds === 0) throw new Error("Steps stay due however often they are taken.")
  const instalments = due.flatMap((step) => (step.kind === "ISSUE" ? [step.instalment] : []))
  const starts = due.flatMap((step) => (step.kind === "START" ? [step] : []))
  const drafts = documentsFor(instalments, {
    issuedAt: now,
    timeZone: life.view.timeZone,
    dueDays: life.view.invoicing[0]!.settings.dueDays,
    currency,
    issued: life.kept.map(({ draft }) => draft.key),
    balances: life.balances
  })
  const balances = new Map(life.balances)
  for (const { balanceChange, key } of drafts) credit(balances, key.payerCustomerId, balanceChange)
  const kept = [
    ...life.kept,
    ...drafts.map((draft, index) => keep(draft, life.kept.length + index + 1))
  ]
  const view: BillingView = {
    ...life.view,
    toStart: life.view.toStart && starts.length === 0,
    issued: kept.map(({ draft }) => draft.key)
  }
  const next: Life = {
    ...life,
    view,
    kept,
    balances,
    entries: [...life.entries, ...drafts.flatMap(({ entries }) => entries)],
    starts: [...life.starts, ...starts]
  }
  return run(openGate(next, now), now, rounds - 1)
}

const keep = (draft: DocumentDraft, number: number): Kept => ({
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
  const invoices = life.kept
    .filter(({ draft }) => draft.key.type === "INVOICE")
    .map(({ invoice }) => invoice)
  const named = invoices[index % Math.max(1, invoices.length)]
  if (named === undefined) return life
  const { creditBalance, entry, updates } = settle({ amount, paidAt, currency }, named, invoices)
  const balances = new Map(life.balances)
  credit(balances, named.payerCustomerId, creditBalance)
  const kept = life.kept.map(({ draft, invoice }): Kept => {
    const update = updates.find(({ invoiceId }) => invoiceId === invoice.id)
    return { draft, invoice: { ...invoice, ...update } }
  })
  const paid = { ...life, kept, balances, entries: [...life.entries, entry] }
  return openGate({ ...paid, received: life.received + amount }, paidAt)
}

/** Notes the first payment once every invoice of the first instalments is paid. */
const openGate = (life: Life, at: Instant): Life => {
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
