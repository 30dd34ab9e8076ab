/**
 * Numbers that travel with money and come back in statements: our own, with two letters, and creditor
 * references (`RF`, ISO 11649). Both have check digits after ISO 7064, MOD 97-10.
 */
import { remainder97 } from "@quittance/domain/values/Remainder97"
import { isValid } from "@quittance/identifiers/Identifier"
import { Schema } from "effect"

/**
 * What a number of ours is of: `DD` a debit, `PO` a payout (both are the EndToEndId), `QM` a mandate (the
 * UMR), `QC` a file of debits, `QP` a file of payouts (both are the message id).
 */
export const numberLetters = ["DD", "PO", "QM", "QC", "QP"] as const
export type NumberLetters = (typeof numberLetters)[number]

/** A counter or a text that no number with check digits can be made of. */
export class InvalidReferenceBody extends Schema.TaggedError<InvalidReferenceBody>()(
  "InvalidReferenceBody",
  { value: Schema.String, expected: Schema.String }
) {
  override get message() {
    return `No reference can be made of ${this.value}; use ${this.expected}.`
  }
}

const highestNumber = 9_999_999_999

/**
 * The number for banks and people: two letters, ten digits, two check digits over all of it, such as
 * `QC000000000157`. Each single wrong character and each transposition of two digits shows.
 *
 * @param number 1 to 9,999,999,999, counted for each tenant and never used again
 * @throws InvalidReferenceBody outside of that
 */
export const numberText = (letters: NumberLetters, number: number): string => {
  if (!Number.isSafeInteger(number) || number < 1 || number > highestNumber) {
    throw new InvalidReferenceBody({
      value: String(number),
      expected: `a whole number from 1 to ${highestNumber}`
    })
  }
  const body = `${letters}${String(number).padStart(10, "0")}`
  return `${body}${checkDigits(body)}`
}

/** Whether a text is a number of ours in its exact form: in capitals, without blanks, check digits right. */
export const isNumber = (text: string): boolean => exactNumber.test(text) && remainder97(text) === 1

/** What a number of ours is of; only for a text that {@link isNumber} takes. */
export const lettersOf = (number: string): NumberLetters | undefined =>
  numberLetters.find((letters) => number.startsWith(letters))

/**
 * The creditor reference of a body of letters and digits: `RF`, two check digits, the body. Letters are
 * made capitals.
 *
 * @param body 1 to 21 letters and digits
 * @throws InvalidReferenceBody for any other body
 */
export const creditorReference = (body: string): string => {
  const text = body.toUpperCase()
  if (!/^[A-Z0-9]{1,21}$/u.test(text)) {
    throw new InvalidReferenceBody({ value: body, expected: "1 to 21 letters and digits" })
  }
  return `RF${checkDigits(`${text}RF`)}${text}`
}

/** The creditor reference of an invoice: of the letters and digits of its number, such as `INV-000001`. */
export const invoiceReference = (invoiceNumber: string): string =>
  creditorReference(invoiceNumber.replaceAll(/[^A-Za-z0-9]/gu, ""))

/** A number or reference that was found in texts. */
export interface FoundReference {
  /** In its exact form: capitals, no blanks, sound check digits. */
  readonly text: string
  /** Whether it stands there as one word; false where blanks, signs or line ends cut it. */
  readonly isWhole: boolean
  /** The index of the word it begins in: readings of one place have the same. */
  readonly at: number
}

/**
 * All creditor references that can be read in texts of a payer or a bank. Case, blanks, signs and line ends
 * between characters do not count. A reference begins and ends where a word does. Several readings of one
 * place are all given, since only its owner can say which of them exist: `RF95 A8 MERCI` may be read as
 * `RF95A8`, and with other check digits as `RF95A8MERCI`.
 */
export const findCreditorReferences = (
  texts: ReadonlyArray<string>
): ReadonlyArray<FoundReference> =>
  readings(wordsOf(texts), /^R(?:F(?:\d(?:\d[A-Z0-9]*)?)?)?$/u, 25, (text) =>
    isValid("creditorReferenceRF", text)
  )

/**
 * All numbers of ours in texts. Like creditor references, and also within a longer word where no digit
 * follows, since banks write their own tags right before or behind it.
 */
export const findNumbers = (texts: ReadonlyArray<string>): ReadonlyArray<FoundReference> => {
  const words = wordsOf(texts)
  const within = words.flatMap((word, at) =>
    [...word.matchAll(/(?:DD|PO|QM|QC|QP)\d{12}(?!\d)/gu)].flatMap(([text]) =>
      remainder97(text) === 1 ? [{ text, isWhole: true, at }] : []
    )
  )
  const cut = readings(words, partialNumber, 14, isNumber).filter(({ isWhole }) => !isWhole)
  return [...within, ...cut]
}

/**
 * The numbers of invoices that stand in texts, such as `INV-000042`, `inv 000042` or `INV000042`: in
 * the form `INV000042`. All digits have to be there.
 *
 * @param series the letters before the number, such as `INV`
 */
export const findInvoiceNumbers = (
  texts: ReadonlyArray<string>,
  series: string
): ReadonlyArray<string> => {
  const form = new RegExp(`^${series}\\d{6,}$`, "u")
  const words = wordsOf(texts)
  const found = words.flatMap((word, index) => {
    const next = words[index + 1]
    if (form.test(word)) return [word]
    return word === series && next !== undefined && form.test(word + next) ? [word + next] : []
  })
  return [...new Set(found)]
}

const exactNumber = /^(?:DD|PO|QM|QC|QP)\d{12}$/u
const partialNumber = /^(?:[DPQ]|(?:DD|PO|QM|QC|QP)\d{0,12})$/u

/** The runs of letters and digits of texts, in capitals. */
const wordsOf = (texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  texts
    .join("\n")
    .toUpperCase()
    .match(/[A-Z0-9]+/gu) ?? []

/** What words from one on, put together, can be; a reading ends with a word. */
const readings = (
  words: ReadonlyArray<string>,
  mayBegin: RegExp,
  longest: number,
  isOne: (text: string) => boolean
): ReadonlyArray<FoundReference> =>
  words.flatMap((first, at) => {
    if (!mayBegin.test(first)) return []
    const found: Array<FoundReference> = []
    let text = ""
    for (let index = at; index < words.length; index++) {
      text += words[index]!
      if (text.length > longest || !mayBegin.test(text)) break
      if (isOne(text)) found.push({ text, isWhole: index === at, at })
    }
    return found
  })

/** Two check digits behind a text, by which its remainder becomes 1. */
const checkDigits = (text: string): string => String(98 - remainder97(`${text}00`)).padStart(2, "0")
