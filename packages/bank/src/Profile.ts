/**
 * What banks ask of a file of SEPA payments beyond the schema of ISO 20022, which takes five decimals, names of
 * 140 characters and sums that are wrong. The rules are those of the EPC's implementation guidelines of 2025.
 * No message repeats a name, an account or a text of the file.
 */
import { isValid } from "@quittance/identifiers/Identifier"
import { isOpen } from "./Target.ts"
import type {
  Account,
  DebitGroup,
  DebitOrder,
  Party,
  PaymentFile,
  TransferGroup,
  TransferOrder
} from "./PaymentOrders.ts"
import { type CharacterSet, isSepaText, longestName, longestRemittance } from "./Sepa.ts"

/** A rule of the profile; each is broken by files that the schema takes. */
export type ProfileRule =
  | "EMPTY"
  | "TOTALS"
  | "TOO_MANY"
  | "DUPLICATE"
  | "MIXED"
  | "IDENTIFIER"
  | "NAME"
  | "CHARACTERS"
  | "REMITTANCE"
  | "ADDRESS"
  | "ADDRESS_NEEDED"
  | "CURRENCY"
  | "AMOUNT"
  | "IBAN"
  | "BIC"
  | "CREDITOR_IDENTIFIER"
  | "DAY"
  | "SIGNATURE_DAY"

/** Where a file breaks the profile. */
export interface ProfileFault {
  readonly rule: ProfileRule
  /** The number of the file, the group or the payment. */
  readonly at: string
  /** What to mend; it repeats nothing that is personal. */
  readonly message: string
}

/** What a bank and its account set. */
export interface ProfileLimits {
  readonly characters: CharacterSet
  /** The most payments of a file. */
  readonly maxTransactions: number
}

/** An amount is 0.01 to 999,999,999.99. */
const highestAmount = 99_999_999_999

/**
 * Countries of SEPA outside the European Economic Area, as of November 2026 (EPC409-09): payments with an
 * account there need the address of its holder.
 */
export const countriesThatNeedAddress: ReadonlySet<string> = new Set([
  "AD",
  "AL",
  "CH",
  "GB",
  "MC",
  "MD",
  "ME",
  "MK",
  "RS",
  "SM",
  "VA"
])

export const faultsOfFile = <G>(
  file: PaymentFile<G>,
  limits: ProfileLimits
): ReadonlyArray<ProfileFault> => {
  const at = file.messageId
  return [
    ...identifier(file.messageId, at),
    ...name(file.initiator, at, limits),
    ...(file.count > limits.maxTransactions
      ? [fault("TOO_MANY", at, `A file has at most ${limits.maxTransactions} payments.`)]
      : [])
  ]
}

export const faultsOfDebitGroup = (
  group: DebitGroup,
  limits: ProfileLimits
): ReadonlyArray<ProfileFault> => {
  const at = group.paymentInformationId
  return [
    ...identifier(at, at),
    ...party(group.creditor, at, limits),
    ...account(group.account, at),
    ...(isValid("sepaCreditorIdentifier", group.creditorIdentifier)
      ? []
      : [fault("CREDITOR_IDENTIFIER", at, "The creditor identifier has wrong check digits.")]),
    ...(isOpen(group.collectOn)
      ? []
      : [fault("DAY", at, `TARGET is closed on ${group.collectOn}; collect on an open day.`)])
  ]
}

export const faultsOfDebit = (
  order: DebitOrder,
  group: DebitGroup,
  limits: ProfileLimits
): ReadonlyArray<ProfileFault> => {
  const at = order.endToEndId
  return [
    ...payment(order, order.debtor, limits),
    ...identifier(order.umr, at),
    ...(order.amendment?.originalUmr === undefined
      ? []
      : identifier(order.amendment.originalUmr, at)),
    ...(order.signedOn > group.collectOn
      ? [fault("SIGNATURE_DAY", at, "A mandate is signed before a debit is collected by it.")]
      : [])
  ]
}

export const faultsOfTransferGroup = (
  group: TransferGroup,
  limits: ProfileLimits
): ReadonlyArray<ProfileFault> => {
  const at = group.paymentInformationId
  const isDay = group.speed === "INSTANT" || isOpen(group.executeOn)
  return [
    ...identifier(at, at),
    ...party(group.debtor, at, limits),
    ...account(group.account, at),
    ...(isDay ? [] : [fault("DAY", at, `TARGET is closed on ${group.executeOn}.`)])
  ]
}

export const faultsOfTransfer = (
  order: TransferOrder,
  limits: ProfileLimits
): ReadonlyArray<ProfileFault> => payment(order, order.creditor, limits)

/** What debits and transfers have in common. */
type Payment = Pick<TransferOrder, "endToEndId" | "amount" | "currency" | "account" | "remittance">

const payment = (
  { account: other, amount, currency, endToEndId: at, remittance }: Payment,
  holder: Party,
  limits: ProfileLimits
): ReadonlyArray<ProfileFault> => {
  const isAmount = Number.isSafeInteger(amount) && amount >= 1 && amount <= highestAmount
  const needsAddress =
    holder.address === undefined && countriesThatNeedAddress.has(other.iban.slice(0, 2))
  return [
    ...identifier(at, at),
    ...(currency === "EUR" ? [] : [fault("CURRENCY", at, "SEPA moves euros alone.")]),
    ...(isAmount
      ? []
      : [fault("AMOUNT", at, "An amount is 0.01 to 999,999,999.99, with two decimals.")]),
    ...party(holder, at, limits),
    ...account(other, at),
    ...(needsAddress
      ? [fault("ADDRESS_NEEDED", at, "An account outside the EEA needs its holder's address.")]
      : []),
    ...(remittance.length > longestRemittance
      ? [fault("REMITTANCE", at, `A remittance text has at most ${longestRemittance} characters.`)]
      : []),
    ...characters(remittance, at, limits)
  ]
}

const party = (
  { address, name: text }: Party,
  at: string,
  limits: ProfileLimits
): ReadonlyArray<ProfileFault> => {
  if (address === undefined) return name(text, at, limits)
  const { country, number = "", postcode = "", street = "", town } = address
  return [
    ...name(text, at, limits),
    ...(town === "" || town.length > 35 || !/^[A-Z]{2}$/u.test(country)
      ? [fault("ADDRESS", at, "An address has a town of at most 35 characters and a country.")]
      : []),
    ...characters(`${street}${number}${postcode}${town}`, at, limits)
  ]
}

const name = (text: string, at: string, limits: ProfileLimits): ReadonlyArray<ProfileFault> => [
  ...(text.trim() === "" || text.length > longestName
    ? [fault("NAME", at, `A name has 1 to ${longestName} characters.`)]
    : []),
  ...characters(text, at, limits)
]

const characters = (text: string, at: string, limits: ProfileLimits): ReadonlyArray<ProfileFault> =>
  limits.characters === "UTF8" || isSepaText(text)
    ? []
    : [fault("CHARACTERS", at, "A text has characters that SEPA does not have.")]

/** Identifiers are SEPA's characters in any profile, and never begin, end or have two slashes in a row. */
const identifier = (text: string, at: string): ReadonlyArray<ProfileFault> => {
  const isOne =
    text !== "" &&
    text.length <= 35 &&
    isSepaText(text) &&
    !text.startsWith("/") &&
    !text.endsWith("/") &&
    !text.includes("//")
  return isOne
    ? []
    : [
        fault(
          "IDENTIFIER",
          at,
          "An identifier has 1 to 35 characters of SEPA, no slash at its ends and no two in a row."
        )
      ]
}

const account = ({ bic, iban }: Account, at: string): ReadonlyArray<ProfileFault> => [
  ...(isValid("iban", iban) && !/[^A-Z0-9]/u.test(iban)
    ? []
    : [fault("IBAN", at, "An IBAN has a wrong form or wrong check digits.")]),
  ...(bic === undefined || isValid("bic", bic)
    ? []
    : [fault("BIC", at, "A BIC has 8 or 11 letters and digits.")])
]

export const fault = (rule: ProfileRule, at: string, message: string): ProfileFault => ({
  rule,
  at,
  message
})
