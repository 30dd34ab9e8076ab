/** What requests about statements and their entries say. */
import { Schema } from "effect"
import { BankAccountId, InvoiceId } from "../values/Ids.ts"
import { Money } from "../values/Amount.ts"
import { QueryString, Text } from "../values/Text.ts"
import { BankEntryStatus, IgnoredAccount } from "./BankEntry.ts"
import { StatementStatus } from "./BankStatement.ts"

/** The fields of a form with a bank file: its bytes are all. */
export const BankFileForm = Schema.Struct({})

/** The same as it is sent. */
export const BankFileUpload = Schema.Struct({
  file: Schema.String.annotate({ format: "binary" })
}).annotate({ identifier: "BankFileUpload" })

/** Why a person accepts a statement that contradicts itself or the one before. */
export const AcceptStatement = Schema.Struct({ reason: Text }).annotate({
  identifier: "AcceptStatement"
})
export type AcceptStatement = typeof AcceptStatement.Type

/** Which invoices an entry pays, and what becomes of the rest. */
export const AllocateEntry = Schema.Struct({
  allocations: Schema.NonEmptyArray(
    Schema.Struct({
      invoiceId: InvoiceId,
      /** In minor units, at least 1. */
      amount: Money.check(Schema.isGreaterThanOrEqualTo(1))
    })
  ).check(Schema.isMaxLength(100)),
  /** `BALANCE`: with the last invoice, whose payer's credit it becomes; `SUSPENSE`: it stays open. */
  rest: Schema.Literals(["BALANCE", "SUSPENSE"])
}).annotate({ identifier: "AllocateEntry" })
export type AllocateEntry = typeof AllocateEntry.Type

/** Sets aside what no payment is. */
export const IgnoreEntry = Schema.Struct({ reason: Text, account: IgnoredAccount }).annotate({
  identifier: "IgnoreEntry"
})
export type IgnoreEntry = typeof IgnoreEntry.Type

/** Which statements are asked for. */
export const statementFilter = {
  bankAccountId: Schema.optionalKey(BankAccountId),
  statuses: Schema.optionalKey(Schema.Array(StatementStatus))
}
const Statements = Schema.Struct(statementFilter)
export type StatementFilter = typeof Statements.Type

/** Which entries are asked for. */
export const entryFilter = {
  bankAccountId: Schema.optionalKey(BankAccountId),
  statuses: Schema.optionalKey(Schema.Array(BankEntryStatus)),
  queryString: Schema.optionalKey(QueryString)
}
const Entries = Schema.Struct(entryFilter)
export type EntryFilter = typeof Entries.Type
