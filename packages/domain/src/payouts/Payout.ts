/** Money that leaves: what is paid to whom, who asked for it, and what has become of it. */
import { Schema } from "effect"
import { Currency, Money } from "../values/Amount.ts"
import { BankAccountId, CustomerId, PaymentMethodId, PolicyId } from "../values/Ids.ts"
import { Instant } from "../values/Instant.ts"
import * as PrefixedId from "../values/PrefixedId.ts"
import { Text } from "../values/Text.ts"
import { HolderName } from "../payments/Party.ts"
import { RefundId } from "../payments/Refund.ts"

export const PayoutId = PrefixedId.schema("payout")
export type PayoutId = typeof PayoutId.Type

export const ApprovalId = PrefixedId.schema("approval")
export type ApprovalId = typeof ApprovalId.Type

export const PayoutStatus = Schema.Literals([
  "AWAITING_APPROVAL",
  "APPROVED",
  "PAID",
  "REJECTED",
  "CANCELLED",
  "FAILED"
]).annotate({ identifier: "PayoutStatus" })
export type PayoutStatus = typeof PayoutStatus.Type

/**
 * What the payee's bank says of the holder's name (Regulation (EU) 2024/886, article 5c): it is theirs, nearly,
 * not, or it can't be said.
 */
export const PayeeCheckResult = Schema.Literals([
  "MATCH",
  "CLOSE_MATCH",
  "NO_MATCH",
  "NOT_POSSIBLE"
])
export type PayeeCheckResult = typeof PayeeCheckResult.Type

export const PayeeCheck = Schema.Struct({
  result: PayeeCheckResult,
  /** The name that the bank has, where it is nearly the one that was given. */
  nameAtBank: Schema.optionalKey(Schema.String),
  checkedAt: Instant,
  /** When a person has confirmed a name that nearly matches. */
  confirmedAt: Schema.optionalKey(Instant)
}).annotate({ identifier: "PayeeCheck" })
export type PayeeCheck = typeof PayeeCheck.Type

/** Whether the payee is on the list of asset freezes, by which version of the list. */
export const ScreeningAnswer = Schema.Struct({
  result: Schema.Literals(["CLEAR", "HIT", "NOT_SCREENED"]),
  listVersion: Schema.optionalKey(Schema.String),
  /** The entries of the list that the name may be of. */
  entries: Schema.optionalKey(Schema.Array(Schema.String)),
  screenedAt: Instant
}).annotate({ identifier: "ScreeningAnswer" })
export type ScreeningAnswer = typeof ScreeningAnswer.Type

/** That it was paid, or was not: what the bank says, as a person has recorded it. */
export const PayoutOutcome = Schema.Struct({
  /** When the money left, or came back. */
  at: Instant,
  /** The bank's code of a failure, such as `AC04`. */
  reasonCode: Schema.optionalKey(Schema.String),
  recordedAt: Instant
}).annotate({ identifier: "PayoutOutcome" })

export const Payout = Schema.Struct({
  id: PayoutId,
  /** What it is: the refund of a credit balance. */
  kind: Schema.Literal("REFUND"),
  policyId: PolicyId,
  customerId: CustomerId,
  refundId: RefundId,
  bankAccountId: BankAccountId,
  payee: Schema.Struct({ name: HolderName, paymentMethodId: PaymentMethodId }),
  /** In minor units, at least 1. */
  amount: Money,
  currency: Currency,
  status: PayoutStatus,
  /** The number that travels with the money. */
  endToEndId: Schema.String,
  remittance: Schema.String,
  requestedBy: Schema.String,
  requestedAt: Instant,
  payeeCheck: PayeeCheck,
  screening: ScreeningAnswer,
  /** The approval that it waits for, or was decided by; absent: none was needed. */
  approvalId: Schema.optionalKey(ApprovalId),
  outcome: Schema.optionalKey(PayoutOutcome)
}).annotate({ identifier: "Payout" })
export type Payout = typeof Payout.Type

/** The largest transfer that SEPA takes, in cents. */
export const largestPayout = 99_999_999_999

/** The longest text that travels with a transfer. */
export const Remittance = Text.check(Schema.isMaxLength(140))

export class PayoutNotFound extends Schema.TaggedError<PayoutNotFound>()("PayoutNotFound", {
  payoutId: PayoutId
}) {
  override get message() {
    return `Payout ${this.payoutId} does not exist; check the identifier and the tenant.`
  }
}

/** Without a list of asset freezes nothing leaves in production (Regulation (EC) 2580/2001 and others). */
export class NotScreened extends Schema.TaggedError<NotScreened>()("NotScreened", {}) {
  override get message() {
    return "The payee can't be screened: load a list of asset freezes with `quittance admin screening load`, then ask again."
  }
}
