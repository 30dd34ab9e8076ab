/** Statements of the tenant's banks: what they say, and whether it is booked. */
import { Schema } from "effect"
import { Currency, Money } from "../values/Amount.ts"
import { BankAccountId, BankStatementId } from "../values/Ids.ts"
import { Instant } from "../values/Instant.ts"
import { LocalDate } from "../values/LocalDate.ts"
import { Text } from "../values/Text.ts"

/**
 * Why nothing of a statement is booked until a person accepts it: opening balance and entries are not the
 * closing balance (`DOES_NOT_ADD`), it does not follow the last one (`GAP`), another currency (`CURRENCY`),
 * or an amount that is no whole number of cents, or an entry without a day (`AMOUNT`).
 */
export const HeldReason = Schema.Literals(["DOES_NOT_ADD", "GAP", "CURRENCY", "AMOUNT"]).annotate({
  identifier: "HeldReason"
})
export type HeldReason = typeof HeldReason.Type

/** `camt.052` tells of a day that goes on, `camt.053` of one that has ended, `camt.054` of single entries. */
export const StatementMessage = Schema.Literals(["camt.052", "camt.053", "camt.054"]).annotate({
  identifier: "StatementMessage"
})
export type StatementMessage = typeof StatementMessage.Type

/** `BOOKED`: its entries are in the books; `HELD`: people have to accept it; `TOLD`: it moves no money here. */
export const StatementStatus = Schema.Literals(["BOOKED", "HELD", "TOLD"]).annotate({
  identifier: "StatementStatus"
})
export type StatementStatus = typeof StatementStatus.Type

export const BankStatement = Schema.Struct({
  id: BankStatementId,
  bankAccountId: BankAccountId,
  message: StatementMessage,
  /** What the bank calls it. */
  statementId: Schema.String,
  sequence: Schema.optionalKey(Schema.Int),
  status: StatementStatus,
  reasons: Schema.Array(HeldReason),
  currency: Currency,
  /** In minor units. */
  opening: Schema.optionalKey(Money),
  closing: Schema.optionalKey(Money),
  /** The day of the closing balance, else of the last entry. */
  closingOn: Schema.optionalKey(LocalDate),
  /** How many booked entries it has, and what they sum to. */
  entries: Schema.Int,
  sum: Money,
  /** Those of them that were not known before. */
  newEntries: Schema.Int,
  receivedAt: Instant,
  accepted: Schema.optionalKey(
    Schema.Struct({ by: Schema.String, at: Instant, reason: Text }).annotate({
      identifier: "StatementAcceptance"
    })
  )
}).annotate({ identifier: "BankStatement" })
export type BankStatement = typeof BankStatement.Type

/** What came of a file: of each statement how many entries are new, and how many were known. */
export const BankFileOutcome = Schema.Struct({
  kind: Schema.Literals([...StatementMessage.literals, "pain.002"]),
  /** Whether the same bytes were there before: nothing was done then. */
  known: Schema.Boolean,
  statements: Schema.Array(
    Schema.Struct({
      id: BankStatementId,
      status: StatementStatus,
      reasons: Schema.Array(HeldReason),
      new: Schema.Int,
      known: Schema.Int
    }).annotate({ identifier: "StatementOutcome" })
  )
}).annotate({ identifier: "BankFileOutcome" })
export type BankFileOutcome = typeof BankFileOutcome.Type

export class BankStatementNotFound extends Schema.TaggedError<BankStatementNotFound>()(
  "BankStatementNotFound",
  { bankStatementId: Schema.String }
) {
  override get message() {
    return `Statement ${this.bankStatementId} does not exist; GET /bank-statements lists those of the tenant.`
  }
}

export class StatementOfOtherAccount extends Schema.TaggedError<StatementOfOtherAccount>()(
  "StatementOfOtherAccount",
  { statementId: Schema.String }
) {
  override get message() {
    return `Statement ${this.statementId} is of another account; send it to the account that it names.`
  }
}
