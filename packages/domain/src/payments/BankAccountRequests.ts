/** What requests about the tenant's bank accounts say. */
import { Schema } from "effect"
import { InstantFromString } from "../values/Instant.ts"
import { BankAccountSettings, BankProfile } from "./BankAccount.ts"
import { Iban } from "./Iban.ts"

const { messages, ...profile } = BankProfile.fields
const {
  bic,
  channel,
  creditorIdentifier,
  currency,
  holder,
  openingBalance,
  products,
  statement,
  timeZone,
  usage
} = BankAccountSettings.fields

/** The whole account: what is left out is as it is by default, or taken away. */
export const PutBankAccount = Schema.Struct({
  holder,
  /** Of a new account; it never changes. */
  iban: Schema.RedactedFromValue(Iban),
  bic,
  currency: Schema.optionalKey(currency),
  creditorIdentifier,
  timeZone,
  usage,
  products,
  channel: Schema.optionalKey(channel),
  profile: Schema.optionalKey(
    Schema.Struct({
      messages: Schema.optionalKey(
        Schema.Struct({
          debit: Schema.optionalKey(messages.fields.debit),
          transfer: Schema.optionalKey(messages.fields.transfer)
        })
      ),
      leadDays: Schema.optionalKey(profile.leadDays),
      cutOff: Schema.optionalKey(profile.cutOff),
      batchBooking: Schema.optionalKey(profile.batchBooking),
      sequence: Schema.optionalKey(profile.sequence),
      characters: Schema.optionalKey(profile.characters),
      maxTransactions: Schema.optionalKey(profile.maxTransactions)
    })
  ),
  statement: Schema.optionalKey(statement),
  openingBalance,
  closedAt: Schema.optionalKey(InstantFromString)
}).annotate({ identifier: "PutBankAccount" })
export type PutBankAccount = typeof PutBankAccount.Type
