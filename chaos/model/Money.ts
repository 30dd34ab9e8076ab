/** The books of a policy: an entry for whatever moves money, and the row of the summary. */
import { isRepayment } from "./Charges.ts"
import type { Document, Facts } from "./Facts.ts"
import { millis } from "./Fold.ts"
import * as Settling from "./Settling.ts"
import { byAccount, sum } from "./Settling.ts"

/** The first difference between the books of a policy and what must be in them. */
export const check = (facts: Facts): string | undefined =>
  entriesDifference(facts) ?? Settling.check(facts) ?? receivablesDifference(facts)

/** One balanced entry for each invoice, payment and refund, with the amounts that are on it. */
const entriesDifference = ({ invoices, entries, payments, refunds }: Facts): string | undefined => {
  for (const { amounts, kind, sourceId } of entries) {
    if (sum(amounts) !== 0) return `the ${kind} of ${sourceId} does not sum to zero`
  }
  const of = (kind: string, id: string) =>
    entries.filter((entry) => entry.kind === kind && entry.sourceId === id)
  for (const invoice of invoices) {
    const { customerId, id, lines, total } = invoice
    const expected = new Map<string, number>()
    const add = (account: string, amount: number) =>
      expected.set(account, (expected.get(account) ?? 0) + amount)
    // What asks for a refund back makes good the balance from which that was paid: it is no income.
    if (isRepayment(invoice)) add(`balance:${customerId}`, -total)
    for (const { amount } of isRepayment(invoice) ? [] : lines) {
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
  for (const { amount, customerId, id, returnedAt } of payments) {
    const moves = { PAYMENT: amount, ...(returnedAt === null ? {} : { RETURN: -amount }) }
    for (const [kind, moved] of Object.entries(moves)) {
      const own = of(kind, id)
      if (own.length !== 1) return `the ${kind} of ${id} has ${own.length} entries`
      const found = byAccount(own)
      const rest =
        (found.get(`receivable:${customerId}`) ?? 0) + (found.get(`balance:${customerId}`) ?? 0)
      if (found.get("cash") !== moved || rest !== -moved) return `${id} is not posted as ${moved}`
    }
  }
  for (const { amount, customerId, id } of refunds) {
    const own = of("REFUND", id)
    const found = byAccount(own)
    const isPosted = found.get("cash") === -amount && found.get(`balance:${customerId}`) === amount
    if (own.length !== 1 || !isPosted) return `the refund ${id} is not posted as ${amount}`
  }
  const sources = new Set([...invoices, ...payments, ...refunds].map(({ id }) => id))
  const stray = entries.find(({ sourceId }) => !sources.has(sourceId))
  return stray && `the ${stray.kind} of ${stray.sourceId} posts nothing that is there`
}

const isNothing = ({ amount }: Document["lines"][number]) => amount.amountWithFeesAndTaxes === 0

const unpaid = new Set([
  "ISSUED",
  "PAYMENT_IN_PROGRESS",
  "PAYMENT_FAILED",
  "PARTIALLY_PAID",
  "PAYMENT_DISPUTED"
])

/** A row of the accounting summary for each payer with an unpaid invoice, and no other. */
const receivablesDifference = ({ invoices, receivables, status }: Facts): string | undefined => {
  const expected = Map.groupBy(
    invoices.filter((invoice) => invoice.type === "INVOICE" && unpaid.has(invoice.status)),
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
