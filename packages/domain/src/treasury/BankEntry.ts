/** Payments on statements: what each is, and what is left of it to be explained. */
import { Schema } from "effect"
import { Payment } from "../payments/Payment.ts"
import { Currency, Money } from "../values/Amount.ts"
import {
  BankAccountId,
  BankEntryId,
  BankStatementId,
  CustomerId,
  InvoiceId,
  PolicyId
} from "../values/Ids.ts"
import { Instant } from "../values/Instant.ts"
import { LocalDate } from "../values/LocalDate.ts"
import { MatchRule, SuggestionReason } from "./EntryMatch.ts"

/**
 * `MATCHING`: a rule has found what it is, and it is about to be booked so; `UNMATCHED`: it waits for people;
 * `MATCHED`: all of it is explained; `IGNORED`: people have set it aside; `TOLD`: a message has told it that
 * moves no money.
 */
export const BankEntryStatus = Schema.Literals([
  "MATCHING",
  "UNMATCHED",
  "MATCHED",
  "IGNORED",
  "TOLD"
]).annotate({ identifier: "BankEntryStatus" })
export type BankEntryStatus = typeof BankEntryStatus.Type

/** Where what is ignored goes in the treasury's journal. */
export const IgnoredAccount = Schema.Literals(["BANK_CHARGES", "OTHER"]).annotate({
  identifier: "IgnoredAccount"
})
export type IgnoredAccount = typeof IgnoredAccount.Type

export const BankEntry = Schema.Struct({
  id: BankEntryId,
  bankAccountId: BankAccountId,
  statementId: BankStatementId,
  bookedOn: LocalDate,
  valueOn: Schema.optionalKey(LocalDate),
  /** In minor units, below nothing where it left the account. */
  amount: Money,
  currency: Currency,
  /** What the bank took of it. */
  charge: Money,
  status: BankEntryStatus,
  rule: Schema.optionalKey(MatchRule),
  /** What of it payments and decisions of people explain. */
  allocated: Money,
  /** The debit, file, payout or payment that it is. */
  recordId: Schema.optionalKey(Schema.String),
  flag: Schema.optionalKey(Schema.Literal("DOUBLE_PAYMENT")),
  /** Who is on the other side, as the bank names them. */
  party: Schema.optionalKey(
    Schema.Struct({
      name: Schema.optionalKey(Schema.String),
      /** The last characters of their account. */
      last4: Schema.optionalKey(Schema.String)
    }).annotate({ identifier: "BankEntryParty" })
  ),
  endToEndId: Schema.optionalKey(Schema.String),
  bankReference: Schema.optionalKey(Schema.String),
  /** Families of ISO's codes, such as `RCDT` and `ESCT`. */
  family: Schema.optionalKey(Schema.String),
  subFamily: Schema.optionalKey(Schema.String),
  /** Why money came back, such as `AM04`. */
  returnReason: Schema.optionalKey(Schema.String),
  cameBack: Schema.Boolean,
  references: Schema.Array(Schema.String),
  texts: Schema.Array(Schema.String),
  recordedAt: Instant,
  ignored: Schema.optionalKey(
    Schema.Struct({ account: IgnoredAccount, reason: Schema.String }).annotate({
      identifier: "IgnoredEntry"
    })
  )
}).annotate({ identifier: "BankEntry" })
export type BankEntry = typeof BankEntry.Type

/** An entry with the payments that it was allocated to. */
export const AllocatedEntry = Schema.Struct({
  ...BankEntry.fields,
  payments: Schema.Array(Payment)
}).annotate({ identifier: "AllocatedEntry" })
export type AllocatedEntry = typeof AllocatedEntry.Type

/** An invoice that an entry may be for, and why. */
export const EntrySuggestion = Schema.Struct({
  invoiceId: InvoiceId,
  invoiceNumber: Schema.String,
  policyId: PolicyId,
  customerId: CustomerId,
  /** What it asks for. */
  due: Money,
  /** What it would take of the entry. */
  amount: Money,
  reasons: Schema.Array(SuggestionReason)
}).annotate({ identifier: "EntrySuggestion" })
export type EntrySuggestion = typeof EntrySuggestion.Type

export const EntrySuggestions = Schema.Struct({
  data: Schema.Array(EntrySuggestion)
}).annotate({ identifier: "EntrySuggestions" })

export class BankEntryNotFound extends Schema.TaggedError<BankEntryNotFound>()(
  "BankEntryNotFound",
  { bankEntryId: Schema.String }
) {
  override get message() {
    return `Entry ${this.bankEntryId} does not exist; GET /bank-entries lists those of the tenant.`
  }
}

/** Why an entry can't be allocated so. */
export const AllocationFault = Schema.Literals([
  "MONEY_LEFT",
  "MORE_THAN_OPEN",
  "INVOICE_TWICE",
  "OTHER_CURRENCY",
  "INVOICE_NOT_FOUND",
  "TOO_MUCH"
]).annotate({ identifier: "AllocationFault" })
export type AllocationFault = typeof AllocationFault.Type

export class InvalidAllocation extends Schema.TaggedError<InvalidAllocation>()(
  "InvalidAllocation",
  {
    reason: AllocationFault,
    invoiceId: Schema.optionalKey(Schema.String),
    /** What of the entry may be allocated, in minor units. */
    open: Money
  }
) {
  override get message() {
    return advice[this.reason]
  }
}

const advice: Readonly<Record<AllocationFault, string>> = {
  MONEY_LEFT: "The entry took money from the account; only money that came in pays invoices.",
  MORE_THAN_OPEN: "The allocations are more than what is open of the entry; allocate less.",
  INVOICE_TWICE: "An invoice is named twice; name each one once, with its whole amount.",
  OTHER_CURRENCY: "The invoice is in another currency than the entry.",
  INVOICE_NOT_FOUND: "The tenant has no such invoice; see the suggestions of the entry.",
  TOO_MUCH: "A policy can't take so much money at once; allocate less."
}
