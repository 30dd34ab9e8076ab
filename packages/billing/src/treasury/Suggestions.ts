/** Which invoices an unmatched entry may be for: ranked, each with the reasons for it. */
import type { PayableInvoice, SuggestionReason } from "@quittance/domain/treasury/EntryMatch"

/** An invoice that may be meant. */
export interface Candidate {
  readonly invoice: PayableInvoice
  readonly isReferenced: boolean
  readonly isNumbered: boolean
  /** Whether the money came from an account of its payer. */
  readonly isFromPayer: boolean
  /** The payer as the tenant knows them. */
  readonly payerName: string
}

export interface Suggestion {
  readonly invoice: PayableInvoice
  readonly reasons: ReadonlyArray<SuggestionReason>
  /** What the invoice would take of the entry, in minor units. */
  readonly amount: number
}

/** So many are shown. */
const most = 10

const weights: Readonly<Record<SuggestionReason, number>> = {
  REFERENCE: 64,
  INVOICE_NUMBER: 32,
  ACCOUNT: 12,
  EXACT_AMOUNT: 10,
  ALL_OWED: 6,
  NAME: 4
}

/**
 * The best candidates, the likeliest first; of equals the oldest number first. One without any reason is left
 * out.
 *
 * @param open what of the entry is not allocated yet, in minor units
 * @param payerName as the bank names who paid
 */
export const suggest = (
  open: number,
  payerName: string | undefined,
  candidates: ReadonlyArray<Candidate>
): ReadonlyArray<Suggestion> => {
  const owed = Map.groupBy(candidates, ({ invoice }) => invoice.customerId)
  return candidates
    .map((candidate) => {
      const all = owed.get(candidate.invoice.customerId) ?? []
      const isAll =
        all.length > 1 && all.reduce((sum, { invoice }) => sum + invoice.due, 0) === open
      return suggestionOf(open, payerName, candidate, isAll)
    })
    .filter(({ reasons }) => reasons.length > 0)
    .toSorted((a, b) => scoreOf(b) - scoreOf(a) || byNumber(a.invoice.number, b.invoice.number))
    .slice(0, most)
}

const suggestionOf = (
  open: number,
  payerName: string | undefined,
  { invoice, isFromPayer, isNumbered, isReferenced, payerName: knownAs }: Candidate,
  isAll: boolean
): Suggestion => {
  const holds: Readonly<Record<SuggestionReason, boolean>> = {
    REFERENCE: isReferenced,
    INVOICE_NUMBER: isNumbered,
    ACCOUNT: isFromPayer,
    EXACT_AMOUNT: invoice.due === open,
    ALL_OWED: isAll,
    NAME: payerName !== undefined && sharesName(payerName, knownAs)
  }
  // Its keys are the reasons.
  const reasons = (Object.keys(weights) as Array<SuggestionReason>).filter((one) => holds[one])
  return { invoice, reasons, amount: Math.min(open, invoice.due) }
}

const scoreOf = ({ reasons }: Suggestion): number =>
  reasons.reduce((sum, reason) => sum + weights[reason], 0)

/** Within a series a longer number is later. */
const byNumber = (a: string, b: string): number =>
  a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)

/** Whether all words of the shorter name are in the other one, whatever their order, case and accents. */
const sharesName = (one: string, other: string): boolean => {
  const [shorter = [], longer = []] = [wordsOf(one), wordsOf(other)].toSorted(
    (a, b) => a.length - b.length
  )
  return shorter.length > 1 && shorter.every((word) => longer.includes(word))
}

const wordsOf = (name: string): ReadonlyArray<string> =>
  name
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toUpperCase()
    .match(/[\p{L}\d]+/gu) ?? []
