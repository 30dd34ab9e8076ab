/**
 * What an entry of a statement is: which one it is among all that banks ever sent, which payments it stands
 * for, whose they are and what the bank took for them.
 */
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import { createHash } from "node:crypto"
import type { BankEntry, BankParty, EntryDetail } from "./BankEntry.ts"

/** What was booked by an entry, below nothing where it left; `undefined` where it has no exact amount. */
export const signedAmount = ({ direction, moved }: BankEntry): number | undefined =>
  moved.amount === undefined ? undefined : direction === "DEBIT" ? 0 - moved.amount : moved.amount

/** Whether the entry moves money, and is not only announced. */
export const isBooked = ({ status }: BankEntry): boolean => status === "BOOK"

/** The day on which an entry counts: the booking day, else the value day; banks leave out either. */
export const entryDay = ({ bookedOn, valueOn }: BankEntry): LocalDate | undefined =>
  bookedOn ?? valueOn

/**
 * What equal entries have in common: account, day, sign and amount, currency, the bank's reference,
 * EndToEndIds and texts. It is the same in each version of a message. The bank's reference alone is no
 * identity: some banks give one to many entries.
 *
 * @param account the account's IBAN
 */
export const likeness = (account: string, entry: BankEntry): string => {
  const { details, text } = entry
  const parts = [
    account,
    entryDay(entry) ?? "",
    String(signedAmount(entry) ?? ""),
    entry.moved.currency ?? "",
    entry.bankReference ?? "",
    details.map(({ endToEndId = "" }) => endToEndId),
    entry.batches.map(({ messageId = "", paymentInformationId = "" }) => [
      messageId,
      paymentInformationId
    ]),
    [text ?? "", ...details.flatMap(textsOf)].map(folded)
  ]
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url").slice(0, 32)
}

const textsOf = ({ creditor, debtor, references, texts }: EntryDetail): ReadonlyArray<string> => [
  ...references,
  ...texts,
  ...[debtor, creditor].flatMap(({ iban = "", name = "" }) => [iban, name])
]

/** Banks wrap texts in other places when they send them again. */
const folded = (text: string): string => text.replaceAll(/\s+/gu, "").toUpperCase()

/** One payment of an entry. */
export interface EntryPart {
  /** In minor units, below nothing where it left the account. */
  readonly amount: number
  /** Absent where the entry has no details. */
  readonly detail?: EntryDetail | undefined
}

/**
 * The payments that an entry stands for. It is split where every payment has an amount and they sum to it;
 * else it is one, and waits as a whole. With a single payment the entry's own amount counts.
 */
export const partsOf = (entry: BankEntry): ReadonlyArray<EntryPart> => {
  const amount = signedAmount(entry) ?? 0
  const { details } = entry
  if (details.length < 2) return [{ amount, detail: details[0] }]
  const parts = details.map((detail) => ({ amount: partAmount(entry, detail), detail }))
  const sum = parts.reduce((total, part) => total + (part.amount ?? Number.NaN), 0)
  // The sum is no number where one of them has none.
  return sum === amount ? parts.map((part) => ({ ...part, amount: part.amount! })) : [{ amount }]
}

const partAmount = (entry: BankEntry, { direction, moved }: EntryDetail): number | undefined => {
  if (moved?.amount === undefined || moved.currency !== entry.moved.currency) return undefined
  return (direction ?? entry.direction) === "DEBIT" ? 0 - moved.amount : moved.amount
}

/**
 * What a bank took for a payment that came back, in minor units: what left beyond the instructed amount, or
 * its charges where it does not say what was instructed.
 */
export const returnCharge = (entry: BankEntry, { amount, detail }: EntryPart): number => {
  const instructed = detail?.instructed
  if (instructed?.amount !== undefined && instructed.currency === entry.moved.currency) {
    return Math.max(0, Math.abs(amount) - instructed.amount)
  }
  const told = detail?.charges ?? 0
  return Math.min(Math.abs(amount), Math.max(0, told === 0 ? entry.charges : told))
}

/**
 * Who is on the other side: never the account itself, which some banks name in either role, then by the
 * direction. A debit that comes back still has its debtor there, and a transfer its creditor.
 *
 * @param ownIban the account of the statement
 */
export const otherParty = (
  { direction, isReversal }: BankEntry,
  { creditor, debtor, returnReason }: EntryDetail,
  ownIban: string
): BankParty => {
  if (debtor.iban === ownIban) return creditor
  if (creditor.iban === ownIban) return debtor
  const comesBack = isReversal || returnReason !== undefined
  return (direction === "CREDIT") === comesBack ? creditor : debtor
}

/** Whether a payment is one of ours or theirs that came back. */
export const cameBack = (entry: BankEntry, detail: EntryDetail | undefined): boolean =>
  detail?.isSuccess !== true && (entry.isReversal || detail?.returnReason !== undefined)
