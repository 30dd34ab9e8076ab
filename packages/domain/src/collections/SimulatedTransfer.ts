/** Transfers of payers, as the simulated bank of a sandbox receives them. */
import { Schema } from "effect"
import { Iban } from "../payments/Iban.ts"
import { Money } from "../values/Amount.ts"
import { BankAccountId, BankTransferId } from "../values/Ids.ts"
import { Instant } from "../values/Instant.ts"
import { LocalDate } from "../values/LocalDate.ts"

/** One line as banks pass it on, without control characters. */
const line = (most: number) =>
  Schema.String.check(
    Schema.isPattern(/^(?=.*\S)\P{C}*$/u, { message: "Expected one line that is not blank" }),
    Schema.isMaxLength(most)
  )

/** The most that SEPA takes, in cents. */
const largestTransfer = 99_999_999_999

const members = {
  bankAccountId: BankAccountId,
  /** In cents. */
  amount: Money.check(Schema.isBetween({ minimum: 1, maximum: largestTransfer })),
  debtorName: line(70),
  /** What the payer has written. */
  text: Schema.optionalKey(line(140)),
  /** The creditor reference that the payer has given, right or wrong. */
  reference: Schema.optionalKey(line(35))
}

/** A payer transfers money to an account of the tenant. */
export const SendBankTransfer = Schema.Struct({
  ...members,
  debtorIban: Schema.RedactedFromValue(Iban),
  /** The day on which it arrives; today, unless it is said. */
  on: Schema.optionalKey(LocalDate)
}).annotate({ identifier: "SendBankTransfer" })
export type SendBankTransfer = typeof SendBankTransfer.Type

/** A transfer that the bank books, and when its statement tells it. */
export const SimulatedTransfer = Schema.Struct({
  id: BankTransferId,
  ...members,
  /** The last characters of the payer's account. */
  debtorLast4: Schema.String,
  bookedOn: LocalDate,
  toldAt: Instant
}).annotate({ identifier: "SimulatedTransfer" })
export type SimulatedTransfer = typeof SimulatedTransfer.Type
