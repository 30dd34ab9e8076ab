/** How money and credits settle what a policy's invoices ask for: lived through once more, one by one. */
import type { Document, Entry, Facts, Payment, Refund, WriteOff } from "./Facts.ts"
import { isRepayment } from "./Charges.ts"
import { millis } from "./Fold.ts"

interface Open {
  readonly invoice: Document
  paid: number
  /** What payments that the bank left alone have paid of it; the rest came from the balance. */
  readonly byPayment: Map<string, number>
  /** What credit notes have credited of it. */
  credited: number
  /** What it is while nothing is paid of it. */
  unpaid: "ISSUED" | "PAYMENT_FAILED"
  /** Whether what is left to pay of it was written off. */
  isWrittenOff: boolean
}

/** What is left to pay of an invoice, whether or not it is still asked for. */
const restOf = ({ invoice, paid }: Open): number => invoice.total - paid

/** What an invoice asks for. */
const dueOf = (open: Open): number => (open.isWrittenOff ? 0 : restOf(open))

export const sum = (amounts: ReadonlyArray<number>) => amounts.reduce((all, each) => all + each, 0)

/** Every invoice, payment and return in its order, with what each invoice and the balances have then. */
class Books {
  readonly invoices: Array<Open> = []
  readonly balances = new Map<string, number>()
  readonly #surplus = new Map<string, number>()

  ofPayer(payer: string): ReadonlyArray<Open> {
    return this.invoices.filter(({ invoice }) => invoice.customerId === payer).toSorted(byAge)
  }

  #gain(payer: string, amount: number): void {
    this.balances.set(payer, (this.balances.get(payer) ?? 0) + amount)
  }

  /** Invoices in an order, each up to what it asks for; what is left of the amount. */
  #fill(
    amount: number,
    list: ReadonlyArray<Open>,
    by: string | undefined,
    takenBy: (open: Open) => number = dueOf
  ): number {
    let left = amount
    for (const open of list) {
      const part = Math.min(left, takenBy(open))
      if (part === 0) continue
      open.paid += part
      if (restOf(open) === 0) open.isWrittenOff = false
      left -= part
      if (by !== undefined) open.byPayment.set(by, (open.byPayment.get(by) ?? 0) + part)
    }
    return left
  }

  paid({ amount, customerId, id, invoiceId }: Payment): void {
    const named = this.invoices.filter(({ invoice }) => invoice.id === invoiceId)
    const others = this.ofPayer(customerId).filter((open) => !named.includes(open))
    // What names it settles it, even where it was written off.
    const takenBy = (open: Open) => (named.includes(open) ? restOf(open) : dueOf(open))
    const left = this.#fill(amount, [...named, ...others], id, takenBy)
    this.#surplus.set(id, left)
    this.#gain(customerId, left)
  }

  refunded({ amount, customerId }: Refund): void {
    this.#gain(customerId, -amount)
  }

  writtenOff({ invoiceId }: WriteOff): void {
    for (const open of this.invoices) if (open.invoice.id === invoiceId) open.isWrittenOff = true
  }

  writeOffReversed({ invoiceId }: WriteOff): void {
    for (const open of this.invoices) {
      if (open.invoice.id !== invoiceId) continue
      open.isWrittenOff = false
      open.unpaid = "ISSUED"
      this.#useBalance(open.invoice.customerId)
    }
  }

  /** What it settled is owed again, and what its surplus has settled, as far as that is gone. */
  returned({ customerId: payer, id }: Payment): void {
    const own = this.ofPayer(payer)
    for (const open of own) {
      const part = open.byPayment.get(id)
      if (part === undefined) continue
      open.byPayment.delete(id)
      this.#owedAgain(open, part, "PAYMENT_FAILED")
    }
    const surplus = this.#surplus.get(id) ?? 0
    const balance = this.balances.get(payer) ?? 0
    let missing = Math.max(0, surplus - Math.max(0, balance))
    let restored = 0
    for (const open of own.toReversed()) {
      // What was credited of it is asked for no more.
      const byBalance = open.paid - sum([...open.byPayment.values()]) - open.credited
      const part = Math.min(missing, Math.max(0, byBalance))
      if (part === 0) continue
      missing -= part
      restored += part
      this.#owedAgain(open, part, "ISSUED")
    }
    this.#gain(payer, restored - surplus)
    this.#useBalance(payer)
  }

  /** After a returned payment what was written off is owed again, too. */
  #owedAgain(open: Open, part: number, unpaid: Open["unpaid"]): void {
    open.paid -= part
    open.isWrittenOff = false
    if (open.paid === 0) open.unpaid = unpaid
  }

  #useBalance(payer: string): void {
    const balance = this.balances.get(payer) ?? 0
    if (balance > 0)
      this.#gain(payer, this.#fill(balance, this.ofPayer(payer), undefined) - balance)
  }

  issued(invoice: Document): void {
    const payer = invoice.customerId
    const credits = new Map<Open, number>()
    for (const { amount, corrects } of invoice.lines) {
      const corrected = this.invoices.find(({ invoice: { id } }) => id === corrects)
      if (corrected === undefined) continue
      corrected.credited -= amount.amountWithFeesAndTaxes
      credits.set(corrected, (credits.get(corrected) ?? 0) - amount.amountWithFeesAndTaxes)
    }
    if (invoice.type === "INVOICE") {
      const open: Open = {
        invoice,
        paid: 0,
        byPayment: new Map(),
        credited: 0,
        unpaid: "ISSUED",
        isWrittenOff: false
      }
      this.invoices.push(open)
      if (isRepayment(invoice)) return this.#gain(payer, invoice.total)
      const balance = this.balances.get(payer) ?? 0
      if (balance > 0) this.#gain(payer, this.#fill(balance, [open], undefined) - balance)
      return
    }
    const rank = (open: Open) => (credits.has(open) ? 0 : 1)
    const list = this.ofPayer(payer).toSorted((a, b) => rank(a) - rank(b) || byAge(a, b))
    // It reverses the write-off by what it credits, so that no one is paid who never paid.
    const takenBy = (open: Open) =>
      open.isWrittenOff ? Math.min(restOf(open), credits.get(open) ?? 0) : restOf(open)
    this.#gain(payer, this.#fill(-invoice.total, list, undefined, takenBy))
  }
}

/** The first difference between how invoices and balances stand and how they must. */
export const check = (facts: Facts): string | undefined => {
  const books = new Books()
  for (const { happens } of inOrder(facts)) happens(books)
  for (const { credited, invoice, isWrittenOff, paid, unpaid } of books.invoices) {
    const { id, status, total } = invoice
    if (paid !== invoice.paid) return `${id} has ${invoice.paid} paid, and not ${paid}`
    const states = isWrittenOff
      ? ["WRITTEN_OFF"]
      : paid < total
        ? [paid === 0 ? unpaid : "PARTIALLY_PAID"]
        : credited >= total
          ? ["CREDITED", "PAID"]
          : ["PAID"]
    if (!states.includes(status)) return `${id} is ${status}, and not ${states.join(" or ")}`
  }
  return postedDifference(facts, books)
}

const postedDifference = (
  { entries, payments, refunds, writeOffs }: Facts,
  { balances, invoices }: Books
): string | undefined => {
  const found = byAccount(entries)
  for (const [payer, balance] of balances) {
    const posted = 0 - (found.get(`balance:${payer}`) ?? 0)
    if (balance < 0) return `${payer} is not charged for the ${-balance} that their balance lacks`
    if (posted !== balance) return `the balance of ${payer} is ${posted}, and not ${balance}`
  }
  const owedBy = Map.groupBy(invoices, ({ invoice }) => invoice.customerId)
  for (const [payer, list] of owedBy) {
    const owed = sum(list.map(dueOf))
    const posted = found.get(`receivable:${payer}`) ?? 0
    if (posted !== owed) return `${payer} owes ${posted} by the books, and not ${owed}`
  }
  const kept = payments.filter(({ returnedAt }) => returnedAt === null)
  const cash = sum(kept.map(({ amount }) => amount)) - sum(refunds.map(({ amount }) => amount))
  if ((found.get("cash") ?? 0) !== cash) return `cash is ${found.get("cash")}, and not ${cash}`
  const writtenOff = sum(invoices.filter(({ isWrittenOff }) => isWrittenOff).map(restOf))
  const lost = found.get("write_off") ?? 0
  if (lost !== writtenOff) return `${lost} is written off by the books, and not ${writtenOff}`
  const posted = entries.filter(({ kind }) => kind === "WRITE_OFF").length
  return posted === writeOffs.length
    ? undefined
    : `${posted} write-offs are posted, and not ${writeOffs.length}`
}

/** By issue, then by number. */
const byAge = (a: Open, b: Open) =>
  millis(a.invoice.issuedAt) - millis(b.invoice.issuedAt) || a.invoice.number - b.invoice.number

interface Event {
  readonly at: number
  readonly rank: number
  readonly number: number
  readonly happens: (books: Books) => void
}

/**
 * What was done by hand comes before what follows from it. Corrections are issued before what follows on
 * the grid, and of them charges before what gives them back.
 */
const rank = ({ cause, type }: Document) =>
  /^(?:charge|invoice)_/u.test(cause)
    ? 0
    : cause === "" || cause === "FIRST_PAYMENT"
      ? 3
      : type === "INVOICE"
        ? 1
        : 2

/** What it sets in motion comes after it, in its transaction. */
const byHand = ({ recordedAt }: Pick<WriteOff, "recordedAt">) => ({
  at: millis(recordedAt),
  rank: 0,
  number: 0
})

const inOrder = ({
  invoices,
  payments,
  refunds,
  writeOffReversals,
  writeOffs
}: Facts): ReadonlyArray<Event> =>
  [
    ...refunds.map((refund): Event => ({
      ...byHand(refund),
      happens: (books) => books.refunded(refund)
    })),
    ...writeOffs.map((writeOff): Event => ({
      ...byHand(writeOff),
      happens: (books) => books.writtenOff(writeOff)
    })),
    ...writeOffReversals.map((reversal): Event => ({
      ...byHand(reversal),
      happens: (books) => books.writeOffReversed(reversal)
    })),
    ...invoices.map((invoice): Event => ({
      at: millis(invoice.issuedAt),
      rank: rank(invoice),
      number: invoice.number,
      happens: (books) => books.issued(invoice)
    })),
    ...payments.flatMap((payment): ReadonlyArray<Event> => {
      const { returnedAt } = payment
      const paid: Event = { ...byHand(payment), happens: (books) => books.paid(payment) }
      if (returnedAt === null) return [paid]
      const returned = byHand({ recordedAt: returnedAt })
      return [paid, { ...returned, happens: (books) => books.returned(payment) }]
    })
  ].toSorted((a, b) => a.at - b.at || a.rank - b.rank || a.number - b.number)

/** Sums by account; fees and taxes are each one. */
export const byAccount = (entries: ReadonlyArray<Entry>): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>()
  for (const { accounts, amounts } of entries) {
    for (const [index, account] of accounts.entries()) {
      const name = /^(?:fee|tax):/u.test(account) ? account.slice(0, 3) : account
      sums.set(name, (sums.get(name) ?? 0) + amounts[index]!)
    }
  }
  return sums
}
