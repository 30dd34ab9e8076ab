/**
 * What an entry of a bank statement is: rules in their order, of which the first that answers decides. What is
 * only likely is never decided here: it waits for people, with suggestions (`Suggestions.ts`).
 */
import type { Currency } from "@quittance/domain/values/Amount"
import type { InvoiceId, PaymentId, PolicyId } from "@quittance/domain/values/Ids"
import { type LocalDate, toEpochDay } from "@quittance/domain/values/LocalDate"
import type {
  AccountOwners,
  MatchRule,
  PayableInvoice,
  RecordedPayment
} from "@quittance/domain/treasury/EntryMatch"

/** What the texts of an entry tell; see `cluesOf` of the package `bank`. */
export interface EntryClues {
  readonly identifiers: ReadonlyArray<string>
  readonly numbers: ReadonlyArray<string>
  readonly references: ReadonlyArray<ReadonlyArray<string>>
  readonly invoiceNumbers: ReadonlyArray<string>
  readonly isSpoiled: boolean
}

/** A payment on a statement, as far as rules need it. */
export interface UnmatchedEntry {
  /** In minor units, below nothing where it left the account. */
  readonly amount: number
  readonly currency: Currency
  readonly bookedOn: LocalDate
  /** `RCDT/ESCT`, or what the bank has: which kind of payment it is. */
  readonly family: string
  readonly subFamily: string
  /** Whether a payment came back by it. */
  readonly cameBack: boolean
  readonly clues: EntryClues
  /** The print of the account on the other side, in hexadecimal. */
  readonly payerPrint?: string | undefined
}

/** A debit, a file of debits or a payout of ours. */
export interface OwnRecord {
  readonly kind: "DEBIT" | "FILE" | "PAYOUT"
  readonly number: string
  readonly recordId: string
  /** Under which record its cash is awaited: a debit's under the file that its bank books as one. */
  readonly cashRecordId: string
  readonly amount: number
  readonly currency: Currency
}

/** What is known of the records that the clues of entries name. */
export interface MatchFacts {
  /** By number. */
  readonly own: ReadonlyMap<string, OwnRecord>
  /** By number, such as `INV000042`. */
  readonly invoices: ReadonlyMap<string, PayableInvoice>
  /** The invoices that the customers of an account still owe, by its print. */
  readonly payers: ReadonlyMap<string, AccountOwners>
}

export interface Allocation {
  readonly invoiceId: InvoiceId
  readonly policyId: PolicyId
  /** In minor units. */
  readonly amount: number
}

export type Match =
  | { readonly rule: "OWN_DEBIT" | "OWN_FILE" | "OWN_PAYOUT"; readonly record: OwnRecord }
  | { readonly rule: "RECORDED"; readonly paymentId: PaymentId }
  | { readonly rule: "BANK_CHARGE" }
  | {
      readonly rule: "REFERENCE" | "INVOICE_NUMBER" | "ACCOUNT_AND_AMOUNT"
      readonly allocations: ReadonlyArray<Allocation>
      /** Whether the invoice asks for nothing, so that all of it becomes credit. */
      readonly isDoublePayment: boolean
    }

/** What no rule decides, and by whom it then is. */
export type Decided = Match | undefined

/** Within how many days a payment by hand and an entry are the same money. */
const recordedWithin = 10

/** What an entry is, as far as that is certain; `undefined` leaves it to people. */
export const match = (entry: UnmatchedEntry, facts: MatchFacts): Decided => {
  const own = ownOf(entry, facts)
  if (own === "SEVERAL") return undefined
  if (own !== undefined) return own
  if (isBankCharge(entry)) return { rule: "BANK_CHARGE" }
  if (entry.amount <= 0 || entry.cameBack) return undefined
  const named = namedBy(entry, facts)
  if (named === "UNCLEAR") return undefined
  return (
    recorded(entry, named.byReference.length > 0 ? named.byReference : named.byNumber) ??
    byReference(entry, named.byReference) ??
    byNumber(entry, named) ??
    byAccount(entry, named, facts)
  )
}

const rules: Readonly<Record<OwnRecord["kind"], Extract<MatchRule, `OWN_${string}`>>> = {
  DEBIT: "OWN_DEBIT",
  FILE: "OWN_FILE",
  PAYOUT: "OWN_PAYOUT"
}

/**
 * A number of ours. Texts of a transfer that came in are a payer's words, who may quote any number that a
 * letter of ours has: there it is no sign, and elsewhere it is one in a text only with the amount.
 */
const ownOf = (entry: UnmatchedEntry, { own }: MatchFacts): Match | "SEVERAL" | undefined => {
  if (isTransferIn(entry)) return undefined
  const found = (numbers: ReadonlyArray<string>) =>
    numbers.flatMap((number) => own.get(number) ?? []).filter((record) => fits(entry, record))
  const set = found(entry.clues.identifiers)
  // The number of a payment says more than that of the file which it was in.
  const single = set.filter(({ kind }) => kind !== "FILE")
  const told = found(entry.clues.numbers).filter(({ amount }) => amount === Math.abs(entry.amount))
  const candidates = [single, set, told].find((some) => some.length > 0) ?? []
  const records = [...new Map(candidates.map((record) => [record.recordId, record])).values()]
  const [record] = records
  if (record === undefined) return undefined
  return records.length > 1 ? "SEVERAL" : { rule: rules[record.kind], record }
}

/** Whether money of a record can move that way: collections come in and go back, payouts the other way. */
const fits = ({ amount, cameBack, currency }: UnmatchedEntry, record: OwnRecord): boolean => {
  if (currency !== record.currency || amount === 0) return false
  const comesIn = amount > 0
  if (record.kind === "PAYOUT") return comesIn === cameBack
  if (record.kind === "FILE") return comesIn && !cameBack
  return comesIn ? !cameBack && amount === record.amount : true
}

const isTransferIn = ({ amount, cameBack, family }: UnmatchedEntry): boolean =>
  amount > 0 && !cameBack && (family === "RCDT" || family === "RRCT")

const chargeFamilies = new Set(["CHRG", "FEES", "COMM", "INTR"])

const isBankCharge = ({ amount, cameBack, subFamily }: UnmatchedEntry): boolean =>
  amount < 0 && !cameBack && chargeFamilies.has(subFamily)

interface Named {
  readonly byReference: ReadonlyArray<PayableInvoice>
  readonly byNumber: ReadonlyArray<PayableInvoice>
  /** Whether it names an invoice that is not there: then it may be meant for another creditor. */
  readonly hasUnknown: boolean
}

const prefixLength = 4

/** The number of an invoice by its creditor reference: what follows `RF` and the check digits. */
export const numberOfReference = (reference: string): string => reference.slice(prefixLength)

/** The invoices that an entry names; `UNCLEAR` where one place can be read as two of them. */
const namedBy = (
  { clues, currency }: UnmatchedEntry,
  { invoices }: MatchFacts
): Named | "UNCLEAR" => {
  const places = clues.references.map((readings) =>
    readings.flatMap((reading) => invoices.get(numberOfReference(reading)) ?? [])
  )
  if (places.some((meant) => meant.length > 1)) return "UNCLEAR"
  const references = distinct(places.flat())
  const numbers = distinct(clues.invoiceNumbers.flatMap((number) => invoices.get(number) ?? []))
  if ([...references, ...numbers].some((invoice) => invoice.currency !== currency)) return "UNCLEAR"
  return {
    byReference: references,
    byNumber: numbers,
    hasUnknown:
      clues.isSpoiled ||
      places.some((meant) => meant.length === 0) ||
      clues.invoiceNumbers.some((number) => !invoices.has(number))
  }
}

const distinct = (invoices: ReadonlyArray<PayableInvoice>): ReadonlyArray<PayableInvoice> => [
  ...new Map(invoices.map((invoice) => [invoice.invoiceId, invoice])).values()
]

/** A payment that people have recorded already: it is the same money. */
const recorded = (
  entry: UnmatchedEntry,
  named: ReadonlyArray<PayableInvoice>
): Match | undefined => {
  const [invoice] = named
  if (invoice === undefined || named.length > 1) return undefined
  const apart = ({ paidOn }: RecordedPayment) =>
    Math.abs(toEpochDay(paidOn) - toEpochDay(entry.bookedOn))
  const same = invoice.recorded.filter(
    (payment) => payment.amount === entry.amount && apart(payment) <= recordedWithin
  )
  const nearest = same.toSorted((a, b) => apart(a) - apart(b))[0]
  return nearest === undefined ? undefined : { rule: "RECORDED", paymentId: nearest.paymentId }
}

const byReference = (
  { amount }: UnmatchedEntry,
  named: ReadonlyArray<PayableInvoice>
): Match | undefined => {
  const [invoice] = named
  if (invoice === undefined || named.some(({ isWrittenOff }) => isWrittenOff)) return undefined
  if (named.length > 1) {
    if (named.some(({ due }) => due === 0) || sumOf(named) !== amount) return undefined
    return allocated("REFERENCE", named)
  }
  const { due, invoiceId, policyId } = invoice
  return {
    rule: "REFERENCE",
    allocations: [{ invoiceId, policyId, amount }],
    isDoublePayment: due === 0
  }
}

const byNumber = (entry: UnmatchedEntry, named: Named): Match | undefined => {
  const [invoice] = named.byNumber
  if (invoice === undefined || named.byNumber.length > 1 || named.byReference.length > 0) {
    return undefined
  }
  const isExact = !named.hasUnknown && !invoice.isWrittenOff && invoice.due === entry.amount
  return isExact ? allocated("INVOICE_NUMBER", [invoice]) : undefined
}

/** What names an invoice and was not decided by that is for people. */
const byAccount = (
  { amount, currency, payerPrint }: UnmatchedEntry,
  named: Named,
  { payers }: MatchFacts
): Match | undefined => {
  if (named.hasUnknown || named.byReference.length > 0 || named.byNumber.length > 0) {
    return undefined
  }
  const owners = payerPrint === undefined ? undefined : payers.get(payerPrint)
  if (owners === undefined || owners.customerIds.length !== 1) return undefined
  const open = owners.open.filter((one) => one.currency === currency && one.due > 0)
  const exact = open.filter(({ due }) => due === amount)
  if (exact.length === 1) return allocated("ACCOUNT_AND_AMOUNT", exact)
  return exact.length === 0 && open.length > 0 && sumOf(open) === amount
    ? allocated("ACCOUNT_AND_AMOUNT", open)
    : undefined
}

const sumOf = (invoices: ReadonlyArray<PayableInvoice>): number =>
  invoices.reduce((sum, { due }) => sum + due, 0)

const allocated = (
  rule: "REFERENCE" | "INVOICE_NUMBER" | "ACCOUNT_AND_AMOUNT",
  invoices: ReadonlyArray<PayableInvoice>
): Match => ({
  rule,
  allocations: invoices.map(({ due, invoiceId, policyId }) => ({
    invoiceId,
    policyId,
    amount: due
  })),
  isDoublePayment: false
})
