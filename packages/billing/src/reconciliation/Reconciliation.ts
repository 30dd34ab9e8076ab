/**
 * Whether the books of a policy agree with one another: every entry is what its invoice or payment
 * posts, every balance is what invoices and payments come to, and every row of the accounting summary
 * is what the unpaid invoices say. What is kept of a balance for worklists is that balance.
 */
import type { Amount, Currency } from "@quittance/domain/values/Amount"
import { sum } from "@quittance/domain/values/Amount"
import type { Posting } from "@quittance/domain/billing/Entry"
import {
  type InvoiceStatus,
  type InvoiceType,
  unpaidStatuses
} from "@quittance/domain/billing/Invoice"
import { isRepayment } from "@quittance/domain/billing/InvoiceLine"
import type { Payment } from "@quittance/domain/payments/Payment"
import type { Refund } from "@quittance/domain/payments/Refund"
import * as Postings from "../billing/Postings.ts"
import type { CustomerId, InvoiceCause, PolicyId } from "@quittance/domain/values/Ids"

/** An invoice as it is stored; amounts in minor units. */
export interface BookedInvoice {
  readonly id: string
  readonly customerId: CustomerId
  readonly type: InvoiceType
  readonly status: InvoiceStatus
  readonly currency: Currency
  readonly cause: InvoiceCause
  readonly total: number
  readonly paid: number
  readonly amount: Amount
  /** What each of its lines comes to. */
  readonly lines: ReadonlyArray<Amount>
}

/** An entry as it is stored: debits positive, in minor units. */
export interface BookedEntry {
  readonly id: string
  readonly kind: string
  /** The invoice, payment or refund that it posts. */
  readonly sourceId: string
  readonly currency: string
  readonly accounts: ReadonlyArray<string>
  readonly amounts: ReadonlyArray<number>
}

/** A row of the accounting summary, as it is kept and as it should be; absent where there is none. */
export interface BookedSummary {
  readonly customerId: string
  readonly stored: Readonly<Record<string, unknown>> | null
  readonly derived: Readonly<Record<string, unknown>> | null
}

/** What a customer is owed, as it is kept for worklists; in minor units. */
export interface BookedOwed {
  readonly customerId: CustomerId
  readonly amount: number
}

export interface PolicyBooks {
  readonly policyId: PolicyId
  readonly invoices: ReadonlyArray<BookedInvoice>
  readonly entries: ReadonlyArray<BookedEntry>
  readonly payments: ReadonlyArray<Payment>
  readonly refunds: ReadonlyArray<Refund>
  readonly summary: ReadonlyArray<BookedSummary>
  readonly owed: ReadonlyArray<BookedOwed>
}

/** Two places that should say the same and don't. */
export interface Difference {
  /** The record or account that is wrong, or contradicts the others. */
  readonly record: string
  readonly field: string
  readonly expected: string
  readonly found: string
}

/** The first difference in the books of a policy; `undefined` where they agree. */
export const firstDifference = (books: PolicyBooks): Difference | undefined => {
  for (const difference of differences(books)) return difference
  return undefined
}

function* differences(books: PolicyBooks): Generator<Difference> {
  for (const entry of books.entries) yield* differ(entry.id, "sum", 0, total(entry.amounts))
  for (const invoice of books.invoices) yield* inInvoice(invoice, books)
  for (const payment of books.payments) yield* inPayment(payment, books)
  for (const refund of books.refunds) yield* inRefund(refund, books)
  yield* inSources(books)
  yield* inBalances(books)
  for (const row of books.summary) yield* inSummary(row)
}

function* differ(
  record: string,
  field: string,
  expected: unknown,
  found: unknown
): Generator<Difference> {
  const [a, b] = [textOf(expected), textOf(found)]
  if (a !== b) yield { record, field, expected: a, found: b }
}

/** One text for one value, however its members are ordered. */
const textOf = (value: unknown): string =>
  typeof value === "bigint" ? String(value) : jsonOf(value)

const jsonOf = (value: unknown): string =>
  JSON.stringify(value, (_key, member: unknown) =>
    member !== null && typeof member === "object" && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member
  ) ?? "nothing"

const isUnposted = ({ status }: BookedInvoice): boolean =>
  status === "DRAFTED" || status === "CANCELLED"

function* inInvoice(invoice: BookedInvoice, books: PolicyBooks): Generator<Difference> {
  const { amount, id, paid, status, type } = invoice
  yield* differ(id, "amount", sum(invoice.lines), amount)
  yield* differ(id, "total", amount.amountWithFeesAndTaxes, invoice.total)
  yield* posted(books, "DOCUMENT", id, postingsOf(invoice))
  if (type === "CREDIT_NOTE") {
    // What it gives is on its payer's balance: nothing is ever paid of it.
    yield* differ(id, "paid", 0, paid)
    return yield* differ(id, "status", "PAID", status)
  }
  const settled = total(
    books.payments
      .filter(({ returned }) => returned === undefined)
      .flatMap(({ allocations }) => allocations)
      .filter(({ invoiceId }) => invoiceId === id)
      .map((allocation) => allocation.amount)
  )
  if (paid < settled) yield* differ(id, "paid", settled, paid)
  if (isStanding(invoice)) return
  yield { record: id, field: "status", expected: `one in which ${paid} is paid`, found: status }
}

/** Whether what is paid of an invoice fits its state. */
const isStanding = ({ paid, status, total: owed }: BookedInvoice): boolean => {
  if (status === "PAID" || status === "CREDITED") return paid === owed
  if (status === "PARTIALLY_PAID") return 0 < paid && paid < owed
  return paid < owed || owed === 0
}

function* inPayment(payment: Payment, books: PolicyBooks): Generator<Difference> {
  const { amount, creditBalance, currency, customerId, id, returned } = payment
  const settled = total(payment.allocations.map((allocation) => allocation.amount))
  yield* differ(id, "amount", settled + BigInt(creditBalance), amount)
  // It is what the payment says less its surplus, which was just held against the invoices.
  const used = amount - creditBalance
  const paid = Postings.forPayment(customerId, used, creditBalance, currency)
  yield* posted(books, "PAYMENT", id, paid.postings)
  const back = Postings.forReturn(customerId, used, creditBalance, currency)
  yield* posted(books, "RETURN", id, returned === undefined ? [] : back.postings)
}

function* inRefund(
  { amount, currency, customerId, id, returned }: Refund,
  books: PolicyBooks
): Generator<Difference> {
  const paid = Postings.forRefund(customerId, amount, currency)
  yield* posted(books, "REFUND", id, paid.postings)
  const back = Postings.forRefundReturned(customerId, amount, currency)
  yield* posted(books, "REFUND_RETURNED", id, returned === undefined ? [] : back.postings)
}

/** One entry of a kind for a source, or none where it has nothing to post. */
function* posted(
  { entries }: PolicyBooks,
  kind: string,
  sourceId: string,
  postings: ReadonlyArray<Posting>
): Generator<Difference> {
  const own = entries.filter((entry) => entry.kind === kind && entry.sourceId === sourceId)
  yield* differ(sourceId, `entries of ${kind}`, postings.length === 0 ? 0 : 1, own.length)
  for (const { accounts, amounts, id } of own) {
    const found = new Map(accounts.map((account, index) => [account, amounts[index]]))
    for (const { account, amount } of postings) {
      yield* differ(id, account, amount, found.get(account) ?? 0)
    }
    yield* differ(
      id,
      "accounts",
      postings.map(({ account }) => account).toSorted(),
      accounts.toSorted()
    )
  }
}

/** Entries in other money than their document, payment or refund, or whose own is gone. */
function* inSources({ invoices, entries, payments, refunds }: PolicyBooks): Generator<Difference> {
  const currencies = new Map<string, Currency>(
    [...invoices, ...payments, ...refunds].map(({ currency, id }) => [id, currency])
  )
  for (const { currency, id, sourceId } of entries) {
    const expected = currencies.get(sourceId)
    if (expected === undefined) {
      yield { record: id, field: "source", expected: sourceId, found: "nothing" }
    } else yield* differ(id, "currency", expected, currency)
  }
}

const isUnpaid = ({ status, type }: BookedInvoice): boolean =>
  type === "INVOICE" && unpaidStatuses.some((unpaid) => unpaid === status)

const open = (invoice: BookedInvoice): number => invoice.total - invoice.paid

function* inBalances(books: PolicyBooks): Generator<Difference> {
  const { invoices, entries, payments } = books
  const refunds = books.refunds.filter(({ returned }) => returned === undefined)
  const sums = new Map<string, bigint>()
  for (const { accounts, amounts } of entries) {
    accounts.forEach((account, index) => {
      sums.set(account, (sums.get(account) ?? 0n) + BigInt(amounts[index]!))
    })
  }
  const sumOf = (account: string) => sums.get(account) ?? 0n
  const standing = payments.filter(({ returned }) => returned === undefined)
  const received = total(standing.map(amountOf)) - total(refunds.map(amountOf))
  yield* differ(Postings.cash, "sum", received, sumOf(Postings.cash))
  const writtenOff = invoices.filter(({ status }) => status === "WRITTEN_OFF")
  yield* differ(Postings.writeOff, "sum", total(writtenOff.map(open)), sumOf(Postings.writeOff))
  const written = new Map<string, bigint>()
  for (const { account, amount } of invoices.flatMap(postingsOf)) {
    written.set(account, (written.get(account) ?? 0n) + BigInt(amount))
  }
  for (const account of sums.keys()) {
    if (isOfCustomer(account) || account === Postings.cash || account === Postings.writeOff)
      continue
    yield* differ(account, "sum", written.get(account) ?? 0n, sumOf(account))
  }
  for (const customerId of customersOf(books, sums)) {
    const isOwn = (record: { readonly customerId: CustomerId }) => record.customerId === customerId
    const own = invoices.filter((invoice) => isOwn(invoice) && !isUnposted(invoice))
    const receivable = Postings.receivable(customerId)
    yield* differ(receivable, "sum", total(own.filter(isUnpaid).map(open)), sumOf(receivable))
    // What came in and was credited, less what invoices took of it and what was paid out.
    const left = total([
      ...standing.filter(isOwn).map(amountOf),
      ...refunds.filter(isOwn).map((refund) => -refund.amount),
      ...own.map((invoice) => (invoice.type === "INVOICE" ? -invoice.paid : -invoice.total)),
      // What asks for a refund back makes the balance good from which that was paid.
      ...own.filter(isOfRepayment).map((invoice) => invoice.total)
    ])
    const balance = Postings.balance(customerId)
    yield* differ(balance, "sum", -left, sumOf(balance))
    const kept = books.owed.filter(isOwn).map(amountOf)
    yield* differ(`owed balance of ${customerId}`, "amount", left, total(kept))
  }
}

const postingsOf = (invoice: BookedInvoice): ReadonlyArray<Posting> => {
  const { amount, currency, customerId, total: owed } = invoice
  if (isUnposted(invoice)) return []
  return isOfRepayment(invoice)
    ? Postings.forRepayment(customerId, owed, currency).postings
    : Postings.forInvoice(customerId, amount, currency).postings
}

const isOfRepayment = ({ amount, cause }: BookedInvoice): boolean => isRepayment(cause, amount)

/** Whether an account says what a customer owes, or is owed. */
const isOfCustomer = (account: string): boolean => /^(?:receivable|balance):/u.test(account)

/** The customer of an invoice, a payment or an account. */
const customersOf = (
  { invoices, payments, refunds }: PolicyBooks,
  sums: ReadonlyMap<string, bigint>
): ReadonlySet<CustomerId> =>
  new Set([
    ...[...invoices, ...payments, ...refunds].map(({ customerId }) => customerId),
    // These accounts are named after their customer.
    ...[...sums.keys()].filter(isOfCustomer).map((account) => account.split(":")[1] as CustomerId)
  ])

function* inSummary({ customerId, derived, stored }: BookedSummary): Generator<Difference> {
  const record = `accounting summary of ${customerId}`
  if (stored === null || derived === null) {
    yield* differ(
      record,
      "row",
      derived === null ? "none" : "one",
      stored === null ? "none" : "one"
    )
    return
  }
  for (const field of Object.keys(derived)) {
    yield* differ(record, field, derived[field], stored[field])
  }
}

const amountOf = ({ amount }: { readonly amount: number }): number => amount

/** Exact, whatever its parts come to on the way. */
const total = (amounts: ReadonlyArray<number>): bigint =>
  amounts.reduce((sofar, amount) => sofar + BigInt(amount), 0n)
