/** How money and credits settle what a policy's documents ask for: lived through once more, one by one. */
import type { Document, Entry, Facts } from "./Facts.ts"
import { millis } from "./Fold.ts"

interface Open {
  readonly document: Document
  paid: number
  /** What credit notes have taken back of it. */
  credited: number
}

/** The first difference between the books of a policy and what must be in them. */
export const check = (facts: Facts): string | undefined =>
  entriesDifference(facts) ?? settlementDifference(facts) ?? receivablesDifference(facts)

const sum = (amounts: ReadonlyArray<number>) => amounts.reduce((all, each) => all + each, 0)

/** One balanced entry for each document and payment, with the amounts that are on it. */
const entriesDifference = ({ documents, entries, payments }: Facts): string | undefined => {
  for (const { amounts, kind, sourceId } of entries) {
    if (sum(amounts) !== 0) return `the ${kind} of ${sourceId} does not sum to zero`
  }
  const of = (kind: string, id: string) =>
    entries.filter((entry) => entry.kind === kind && entry.sourceId === id)
  for (const { customerId, id, lines, total } of documents) {
    const expected = new Map<string, number>()
    const add = (account: string, amount: number) =>
      expected.set(account, (expected.get(account) ?? 0) + amount)
    for (const { amount } of lines) {
      add("premium", -amount.amountPreFeesAndTaxes)
      for (const fee of amount.fees) add("fee", -fee.amount)
      for (const tax of amount.taxes) add("tax", -tax.amount)
    }
    add(total >= 0 ? `receivable:${customerId}` : `balance:${customerId}`, total)
    const own = of("DOCUMENT", id)
    const isMissing = own.length !== (total === 0 && lines.every(isNothing) ? 0 : 1)
    if (isMissing && !(total === 0 && own.length === 0)) {
      return `${id} has ${own.length} entries`
    }
    const found = byAccount(own)
    for (const account of new Set([...expected.keys(), ...found.keys()])) {
      const [a, b] = [expected.get(account) ?? 0, found.get(account) ?? 0]
      if (own.length > 0 && a !== b) return `${id} posts ${b} to ${account}, and not ${a}`
    }
  }
  for (const { amount, customerId, id } of payments) {
    const own = of("PAYMENT", id)
    if (own.length !== 1) return `${id} has ${own.length} entries`
    const found = byAccount(own)
    const rest =
      (found.get(`receivable:${customerId}`) ?? 0) + (found.get(`balance:${customerId}`) ?? 0)
    if (found.get("cash") !== amount || rest !== -amount) return `${id} is not posted as ${amount}`
  }
  const sources = new Set([...documents, ...payments].map(({ id }) => id))
  const stray = entries.find(({ sourceId }) => !sources.has(sourceId))
  return stray && `the ${stray.kind} of ${stray.sourceId} posts nothing that is there`
}

const isNothing = ({ amount }: Document["lines"][number]) => amount.amountWithFeesAndTaxes === 0

/** Sums by account; fees and taxes are each one. */
const byAccount = (entries: ReadonlyArray<Entry>): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>()
  for (const { accounts, amounts } of entries) {
    for (const [index, account] of accounts.entries()) {
      const name = /^(?:fee|tax):/u.test(account) ? account.slice(0, 3) : account
      sums.set(name, (sums.get(name) ?? 0) + amounts[index]!)
    }
  }
  return sums
}

/** Every document and payment in its order: what each invoice has then, and what is on the balance. */
const settlementDifference = (facts: Facts): string | undefined => {
  const invoices: Array<Open> = []
  const balances = new Map<string, number>()
  const gain = (payer: string, amount: number) =>
    balances.set(payer, (balances.get(payer) ?? 0) + amount)
  /** Invoices in an order, each up to what it asks for; what is left of the amount. */
  const fill = (amount: number, list: ReadonlyArray<Open>): number => {
    let left = amount
    for (const open of list) {
      const part = Math.min(left, open.document.total - open.paid)
      open.paid += part
      left -= part
    }
    return left
  }
  const ofPayer = (payer: string) =>
    invoices.filter(({ document }) => document.customerId === payer).toSorted(byAge)
  for (const { document, payment } of inOrder(facts)) {
    if (payment !== undefined) {
      const payer = payment.customerId
      const named = invoices.filter(({ document: { id } }) => id === payment.invoiceId)
      const left = fill(payment.amount, [
        ...named,
        ...ofPayer(payer).filter((open) => !named.includes(open))
      ])
      gain(payer, left)
      continue
    }
    const payer = document.customerId
    for (const { amount, corrects } of document.lines) {
      const corrected = invoices.find(({ document: { id } }) => id === corrects)
      if (corrected !== undefined) corrected.credited -= amount.amountWithFeesAndTaxes
    }
    if (document.type === "INVOICE") {
      const open: Open = { document, paid: 0, credited: 0 }
      invoices.push(open)
      const balance = balances.get(payer) ?? 0
      if (balance > 0) gain(payer, fill(balance, [open]) - balance)
    } else {
      const corrected = (open: Open) =>
        document.lines.some(({ corrects }) => corrects === open.document.id) ? 0 : 1
      const list = ofPayer(payer).toSorted((a, b) => corrected(a) - corrected(b) || byAge(a, b))
      gain(payer, fill(-document.total, list))
    }
  }
  for (const { credited, document, paid } of invoices) {
    const { id, status, total } = document
    if (paid !== document.paid) return `${id} has ${document.paid} paid, and not ${paid}`
    const states =
      paid < total
        ? [paid === 0 ? "ISSUED" : "PARTIALLY_PAID"]
        : credited >= total
          ? ["CREDITED", "PAID"]
          : ["PAID"]
    if (!states.includes(status)) return `${id} is ${status}, and not ${states.join(" or ")}`
  }
  const found = byAccount(facts.entries)
  for (const [payer, balance] of balances) {
    const posted = 0 - (found.get(`balance:${payer}`) ?? 0)
    if (posted !== balance) return `the balance of ${payer} is ${posted}, and not ${balance}`
  }
  for (const payer of new Set(invoices.map(({ document }) => document.customerId))) {
    const owed = sum(ofPayer(payer).map(({ document, paid }) => document.total - paid))
    const posted = found.get(`receivable:${payer}`) ?? 0
    if (posted !== owed) return `${payer} owes ${posted} by the books, and not ${owed}`
  }
  const cash = sum(facts.payments.map(({ amount }) => amount))
  if ((found.get("cash") ?? 0) !== cash) return `cash is ${found.get("cash")}, and not ${cash}`
  return undefined
}

/** By issue, then by number. */
const byAge = (a: Open, b: Open) =>
  millis(a.document.issuedAt) - millis(b.document.issuedAt) || a.document.number - b.document.number

/** Corrections are issued before what follows on the grid. */
const rank = ({ cause }: Document) => (cause === "" || cause === "FIRST_PAYMENT" ? 2 : 1)

const inOrder = ({ documents, payments }: Facts) =>
  [
    ...documents.map((document) => ({
      document,
      payment: undefined,
      at: millis(document.issuedAt),
      rank: rank(document),
      number: document.number
    })),
    // What a payment sets in motion comes after it, in its transaction.
    ...payments.map((payment) => ({
      document: undefined as never,
      payment,
      at: millis(payment.recordedAt),
      rank: 0,
      number: 0
    }))
  ].toSorted((a, b) => a.at - b.at || a.rank - b.rank || a.number - b.number)

const unpaid = new Set([
  "ISSUED",
  "PAYMENT_IN_PROGRESS",
  "PAYMENT_FAILED",
  "PARTIALLY_PAID",
  "PAYMENT_DISPUTED"
])

/** A row of the accounting summary for each payer with an unpaid invoice, and no other. */
const receivablesDifference = ({ documents, receivables, status }: Facts): string | undefined => {
  const expected = Map.groupBy(
    documents.filter((document) => document.type === "INVOICE" && unpaid.has(document.status)),
    ({ customerId }) => customerId
  )
  for (const payer of new Set([...expected.keys(), ...receivables.map((row) => row.customerId)])) {
    const rows = receivables.filter(({ customerId }) => customerId === payer)
    const invoices = expected.get(payer) ?? []
    if (rows.length !== (invoices.length === 0 ? 0 : 1)) {
      return `${payer} has ${rows.length} rows in the summary, and ${invoices.length} unpaid invoices`
    }
    for (const row of rows) {
      const issued = (list: ReadonlyArray<string>) =>
        list
          .map(millis)
          .sort((a, b) => a - b)
          .join()
      if (
        row.unpaidCount !== invoices.length ||
        issued(row.unpaidIssuedAt) !== issued(invoices.map(({ issuedAt }) => issuedAt)) ||
        row.status !== status
      ) {
        return `the summary of ${payer} is not that of ${invoices.length} invoices, ${status}`
      }
    }
  }
  return undefined
}
