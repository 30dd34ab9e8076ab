/** The accounts of a tenant at its banks: what is collected to, paid from, and how each bank is talked to. */
import { Schema } from "effect"
import { Currency, Money } from "../values/Amount.ts"
import { BankAccountId } from "../values/Ids.ts"
import { Instant } from "../values/Instant.ts"
import { remainder97 } from "../values/Remainder97.ts"
import { TimeZone } from "../values/TimeZone.ts"
import { Bic, Iban } from "./Iban.ts"
import { HolderName, PartyAddress } from "./Party.ts"

/** The name of an account, chosen by people; also that of its folder where files are exchanged. */
export const BankAccountName = Schema.String.check(
  Schema.isPattern(/^[a-z][a-z0-9-]{0,38}[a-z0-9]$/u, {
    message: "Expected 2 to 40 characters: a lower-case letter, then letters, digits and hyphens"
  })
)

/** `COLLECT` debits and transfers come in, `PAY_OUT` refunds leave, `CLAIMS` payments of claims leave. */
export const BankAccountUse = Schema.Literals(["COLLECT", "PAY_OUT", "CLAIMS"])
export type BankAccountUse = typeof BankAccountUse.Type

/** How files reach the bank: by people, through a folder that another program empties, or the simulated bank. */
export const BankChannel = Schema.Literals(["NONE", "FOLDER", "SIMULATED"])
export type BankChannel = typeof BankChannel.Type

const isCreditorIdentifier = (text: string): boolean => {
  const parts = /^([A-Z]{2}\d{2})[A-Z0-9]{3}([A-Z0-9]{1,28})$/u.exec(text)
  return parts !== null && remainder97(`${parts[2]}${parts[1]}`) === 1
}

/** Who collects (EPC262-08), such as `FR72ZZZ123456`: the business code takes no part in the check digits. */
export const CreditorIdentifier = Schema.String.check(
  Schema.makeFilter(isCreditorIdentifier, {
    message: "Expected a SEPA creditor identifier with its check digits, without blanks"
  })
)

/** The wall clock of the account's zone, such as `15:00`. */
const WallClock = Schema.String.check(
  Schema.isPattern(/^(?:[01]\d|2[0-3]):[0-5]\d$/u, { message: "Expected a time such as 15:00" })
)

const wholeNumber = (minimum: number, maximum: number) =>
  Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const DebitMessage = Schema.Literals(["pain.008.001.08", "pain.008.001.02"])
const TransferMessage = Schema.Literals(["pain.001.001.09", "pain.001.001.03"])

/** What a bank wants of files, and until when it takes them. */
export const BankProfile = Schema.Struct({
  messages: Schema.Struct({ debit: DebitMessage, transfer: TransferMessage }),
  /** TARGET days before the collection on which a file has to be there. */
  leadDays: wholeNumber(1, 10),
  /** Until when of a day files are taken. */
  cutOff: WallClock,
  batchBooking: Schema.Boolean,
  /** Whether the first debit of a mandate is told apart. */
  sequence: Schema.Literals(["RCUR_ONLY", "FRST_RCUR"]),
  characters: Schema.Literals(["SEPA_BASIC", "UTF8"]),
  maxTransactions: wholeNumber(1, 100_000)
}).annotate({ identifier: "BankProfile" })
export type BankProfile = typeof BankProfile.Type

/** What holds where a profile does not say otherwise. */
export const defaultProfile: BankProfile = {
  messages: { debit: "pain.008.001.08", transfer: "pain.001.001.09" },
  leadDays: 2,
  cutOff: "15:00",
  batchBooking: true,
  sequence: "RCUR_ONLY",
  characters: "SEPA_BASIC",
  maxTransactions: 20_000
}

/** Which message moves money: the others tell early what it is about to tell. */
export const StatementSource = Schema.Struct({
  authority: Schema.Literals(["CAMT_053", "CAMT_054", "CAMT_052"])
})

const products = Schema.Union([
  Schema.Literal("ALL"),
  Schema.NonEmptyArray(Schema.String).check(Schema.isMaxLength(1000), Schema.isUnique())
])

/** What people say of an account, beside its name and number. */
export const BankAccountSettings = Schema.Struct({
  holder: Schema.Struct({ name: HolderName, address: PartyAddress }),
  bic: Schema.optionalKey(Bic),
  currency: Currency,
  creditorIdentifier: Schema.optionalKey(CreditorIdentifier),
  timeZone: TimeZone,
  usage: Schema.NonEmptyArray(BankAccountUse).check(Schema.isUnique()),
  products,
  channel: BankChannel,
  profile: BankProfile,
  statement: StatementSource,
  /** What it held, in minor units, at the end of the day before its first statement. */
  openingBalance: Schema.optionalKey(Money),
  /** From then on nothing is collected to it or paid from it. */
  closedAt: Schema.optionalKey(Instant)
})
export type BankAccountSettings = typeof BankAccountSettings.Type

export const BankAccount = Schema.Struct({
  id: BankAccountId,
  name: BankAccountName,
  iban: Schema.toType(Iban),
  ...BankAccountSettings.fields,
  createdAt: Instant
}).annotate({ identifier: "BankAccount" })
export type BankAccount = typeof BankAccount.Type

export class BankAccountNotFound extends Schema.TaggedError<BankAccountNotFound>()(
  "BankAccountNotFound",
  /** The name or the identifier that was asked for. */
  { name: Schema.String }
) {
  override get message() {
    return `There is no bank account ${this.name}; GET /admin/bank-accounts lists those of the tenant.`
  }
}

type Serving = Pick<BankAccount, "closedAt" | "name" | "products" | "usage">

const isOpen = ({ closedAt }: Serving, now: Instant): boolean =>
  closedAt === undefined || now < closedAt

const overlap = (one: Serving["products"], other: Serving["products"]): boolean => {
  // An account that names a product goes before one for all of them.
  if (one === "ALL" || other === "ALL") return one === other
  return one.some((product) => other.includes(product))
}

/** The other account that could serve the same money, of which nothing could then say which one does. */
export const rivalOf = <A extends Serving>(
  account: Serving,
  others: ReadonlyArray<A>,
  now: Instant
): A | undefined =>
  isOpen(account, now)
    ? others.find(
        (other) =>
          other.name !== account.name &&
          isOpen(other, now) &&
          other.usage.some((use) => account.usage.includes(use)) &&
          overlap(account.products, other.products)
      )
    : undefined

/** The account that serves a product at an instant: one that names it, else the one for all. */
export const accountFor = <A extends Serving>(
  accounts: ReadonlyArray<A>,
  use: BankAccountUse,
  productId: string,
  now: Instant
): A | undefined => {
  const serving = accounts.filter((one) => isOpen(one, now) && one.usage.includes(use))
  return (
    serving.find((one) => one.products !== "ALL" && one.products.includes(productId)) ??
    serving.find((one) => one.products === "ALL")
  )
}
