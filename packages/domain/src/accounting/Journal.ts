/**
 * The journal of a tenant's books: its entries in the order in which they were recorded. What is recorded
 * late belongs to the day on which it was recorded, so that the journal of a day that is over never changes.
 */
import type { EntryKind } from "../billing/Entry.ts"
import type { Currency } from "../values/Amount.ts"
import type { LocalDate } from "../values/LocalDate.ts"

export interface JournalEntry {
  /** From 1 without a gap, over all entries of the tenant in the order of the journal. */
  readonly number: number
  readonly id: string
  readonly kind: EntryKind
  /** The number of the invoice, or the id of the payment, return or refund. */
  readonly piece: string
  /** When it took effect, as a day of the tenant. */
  readonly occurredOn: LocalDate
  /** When it was recorded, as a day of the tenant: the day of the journal. */
  readonly recordedOn: LocalDate
  readonly policyId: string
  readonly customerId: string
  /** As it was when the entry was recorded; the id of a customer without a name. */
  readonly customerName: string
  readonly currency: Currency
  /** An amount for each account, debits positive, in minor units. */
  readonly accounts: ReadonlyArray<string>
  readonly amounts: ReadonlyArray<number>
}

/** What debits and credits of a journal come to, by account; debits are positive. */
export type JournalSums = ReadonlyMap<string, bigint>

/** The sums of further entries added to others, exactly. */
export const summed = (sums: JournalSums, entries: ReadonlyArray<JournalEntry>): JournalSums => {
  const all = new Map(sums)
  for (const { accounts, amounts, currency } of entries) {
    accounts.forEach((account, index) => {
      const key = `${account} ${currency}`
      all.set(key, (all.get(key) ?? 0n) + BigInt(amounts[index]!))
    })
  }
  return all
}

const columns = [
  "number",
  "recordedOn",
  "occurredOn",
  "kind",
  "piece",
  "entryId",
  "policyId",
  "customerId",
  "account",
  "debit",
  "credit",
  "currency"
]

/** The first line of a journal as CSV (RFC 4180, with a line feed alone). */
export const csvHead = columns.join(",")

/** A line for each posting of an entry: debit and credit as decimals with a point, one of them 0. */
export const csvLines = (entry: JournalEntry): ReadonlyArray<string> =>
  entry.accounts.map((account, index) => {
    const { credit, debit } = sides(entry.amounts[index]!, entry.currency, ".")
    return [
      String(entry.number),
      entry.recordedOn,
      entry.occurredOn,
      entry.kind,
      entry.piece,
      entry.id,
      entry.policyId,
      entry.customerId,
      account,
      debit,
      credit,
      entry.currency
    ]
      .map(quoted)
      .join(",")
  })

const quoted = (text: string): string =>
  /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/** An amount as a debit or a credit, both as decimals. */
export const sides = (amount: number, currency: Currency, point: "." | ",") => {
  const text = decimal(Math.abs(amount), fractionDigits(currency), point)
  const none = decimal(0, fractionDigits(currency), point)
  return amount >= 0 ? { debit: text, credit: none } : { debit: none, credit: text }
}

const decimal = (amount: number, digits: number, point: string): string => {
  if (digits === 0) return String(amount)
  const text = String(amount).padStart(digits + 1, "0")
  return `${text.slice(0, -digits)}${point}${text.slice(-digits)}`
}

/** The digits of a currency's minor unit, by ISO 4217: 2 of EUR, 0 of JPY. */
const fractionDigits = (currency: Currency): number =>
  new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions()
    .maximumFractionDigits ?? 2
