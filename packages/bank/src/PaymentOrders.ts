/** What files of payments say: what the writers write, the profile checks, and a bank reads. */
import type { DebitScheme } from "@quittance/domain/payments/Mandate"
import type { Instant } from "@quittance/domain/values/Instant"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import { bankText, type CharacterSet, longestName, longestRemittance } from "./Sepa.ts"

/** The versions of collections and of transfers that are written. */
export const collectionMessages = ["pain.008.001.08", "pain.008.001.02"] as const
export type CollectionMessage = (typeof collectionMessages)[number]
export const transferMessages = ["pain.001.001.09", "pain.001.001.03"] as const
export type TransferMessage = (typeof transferMessages)[number]

/** An address in parts; banks take no lines without a town and a country. */
export interface PostalAddress {
  readonly street?: string | undefined
  readonly number?: string | undefined
  readonly postcode?: string | undefined
  readonly town: string
  /** Two letters (ISO 3166). */
  readonly country: string
}

export interface Party {
  readonly name: string
  readonly address?: PostalAddress | undefined
}

/** An account; without a BIC the bank finds it by the IBAN. */
export interface Account {
  readonly iban: string
  readonly bic?: string | undefined
}

/** `FRST` and `RCUR` of a mandate for many debits, `OOFF` of one for one debit, `FNAL` the last. */
export type SequenceType = "FRST" | "RCUR" | "OOFF" | "FNAL"

/** What of a mandate is not as it was when it was last used. */
export interface Amendment {
  readonly originalUmr?: string | undefined
  readonly originalCreditorIdentifier?: string | undefined
  /** Another account of the debtor: told as `SMNDA`, "same mandate, new debtor account". */
  readonly isNewAccount?: boolean | undefined
}

/** One debit of a collection. */
export interface DebitOrder {
  readonly endToEndId: string
  /** In minor units. */
  readonly amount: number
  readonly currency: string
  readonly umr: string
  readonly signedOn: LocalDate
  readonly amendment?: Amendment | undefined
  readonly debtor: Party
  readonly account: Account
  readonly remittance: string
}

/** The debits of one creditor account, scheme, sequence and day. */
export interface DebitGroup {
  readonly paymentInformationId: string
  readonly scheme: DebitScheme
  readonly sequence: SequenceType
  readonly collectOn: LocalDate
  readonly batchBooking: boolean
  readonly creditor: Party
  readonly account: Account
  readonly creditorIdentifier: string
  readonly count: number
  /** In minor units. */
  readonly sum: number
  readonly orders: Iterable<DebitOrder>
}

/** One transfer. */
export interface TransferOrder {
  readonly endToEndId: string
  /** In minor units. */
  readonly amount: number
  readonly currency: string
  readonly creditor: Party
  readonly account: Account
  readonly remittance: string
}

/** The transfers from one account on one day. */
export interface TransferGroup {
  readonly paymentInformationId: string
  /** `INSTANT` goes out in files of its own, at any hour of any day. */
  readonly speed: "STANDARD" | "INSTANT"
  readonly executeOn: LocalDate
  readonly batchBooking: boolean
  readonly debtor: Party
  readonly account: Account
  readonly count: number
  /** In minor units. */
  readonly sum: number
  readonly orders: Iterable<TransferOrder>
}

/**
 * A file of payments. Counts and sums are told beforehand, as its head is written first; its orders may be
 * read from somewhere while it is written.
 */
export interface PaymentFile<Group> {
  readonly messageId: string
  readonly createdAt: Instant
  readonly initiator: string
  readonly count: number
  /** In minor units. */
  readonly sum: number
  readonly groups: Iterable<Group>
}

export type CollectionFile = PaymentFile<DebitGroup>
export type TransferFile = PaymentFile<TransferGroup>

/** A party in the characters and lengths that a bank takes. */
export const writableParty = ({ address, name }: Party, characters: CharacterSet): Party => ({
  name: bankText(name, longestName, characters),
  ...(address === undefined ? {} : { address: writableAddress(address, characters) })
})

const writableAddress = (address: PostalAddress, characters: CharacterSet): PostalAddress => ({
  ...part("street", address.street, longestName, characters),
  ...part("number", address.number, 16, characters),
  ...part("postcode", address.postcode, 16, characters),
  town: bankText(address.town, 35, characters),
  country: address.country
})

/** A part of an address; absent where nothing of it can be written. */
const part = (
  name: "street" | "number" | "postcode",
  text: string | undefined,
  max: number,
  characters: CharacterSet
) => {
  const written = text === undefined ? "" : bankText(text, max, characters)
  return written === "" ? {} : { [name]: written }
}

/** A debit with its names and text in the characters and lengths that a bank takes. */
export const writableDebit = (order: DebitOrder, characters: CharacterSet): DebitOrder => ({
  ...order,
  debtor: writableParty(order.debtor, characters),
  remittance: bankText(order.remittance, longestRemittance, characters)
})

/** The same of a transfer. */
export const writableTransfer = (
  order: TransferOrder,
  characters: CharacterSet
): TransferOrder => ({
  ...order,
  creditor: writableParty(order.creditor, characters),
  remittance: bankText(order.remittance, longestRemittance, characters)
})
