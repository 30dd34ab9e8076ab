/** What the texts of a payment tell of whose it is and what it is for. */
import type { BankEntry } from "./BankEntry.ts"
import type { EntryPart } from "./Entries.ts"
import { findCreditorReferences, findInvoiceNumbers, findNumbers } from "./References.ts"

/** What was found in an entry's identifiers and texts, in their exact forms. */
export interface Clues {
  /** Numbers of ours that the bank or we have set: in identifiers and batches. */
  readonly identifiers: ReadonlyArray<string>
  /** Numbers of ours in free texts, which a payer may have written. */
  readonly numbers: ReadonlyArray<string>
  /** Creditor references by the place where they stand: all readings of one place, since only one is meant. */
  readonly references: ReadonlyArray<ReadonlyArray<string>>
  /** Invoice numbers without their hyphen, such as `INV000042`. */
  readonly invoiceNumbers: ReadonlyArray<string>
  /** Whether a creditor reference stands there whose check digits are wrong: no digit of it is to be trusted. */
  readonly isSpoiled: boolean
}

/**
 * The clues of one payment of an entry.
 *
 * @param series the letters before numbers of invoices, such as `INV`
 */
export const cluesOf = (entry: BankEntry, { detail }: EntryPart, series: string): Clues => {
  const texts = [...(detail?.texts ?? []), ...(entry.text === undefined ? [] : [entry.text])]
  const structured = detail?.references ?? []
  const identifiers = [
    detail?.endToEndId,
    detail?.paymentInformationId,
    detail?.messageId,
    ...entry.batches.flatMap(({ messageId, paymentInformationId }) => [
      messageId,
      paymentInformationId
    ])
  ].flatMap((text) => (text === undefined ? [] : [text]))
  const all = [...structured, ...texts]
  const places = Map.groupBy(findCreditorReferences(all), ({ at }) => at)
  const references = [...places.values()].map((readings) => unique(readings.map(textOf)))
  const compact = all
    .join("")
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/gu, "")
  const found = findInvoiceNumbers(all, series)
  const referenced = found.filter((number) => new RegExp(`RF\\d\\d${number}`, "u").test(compact))
  const isSound = (number: string) => references.flat().some((text) => text.endsWith(number))
  return {
    identifiers: unique(identifiers.flatMap((text) => findNumbers([text]).map(textOf))),
    numbers: unique(findNumbers(texts).map(textOf)),
    references,
    invoiceNumbers: found.filter((number) => !referenced.includes(number)),
    isSpoiled: referenced.some((number) => !isSound(number))
  }
}

const textOf = ({ text }: { readonly text: string }): string => text

const unique = (texts: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(texts)]
