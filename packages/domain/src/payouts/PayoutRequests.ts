/** What requests about payouts and approvals say. */
import { Schema } from "effect"
import { Money } from "../values/Amount.ts"
import { CustomerId, PaymentMethodId } from "../values/Ids.ts"
import { InstantFromString } from "../values/Instant.ts"
import { Text } from "../values/Text.ts"
import { ApprovalStatus } from "./Approval.ts"
import { largestPayout, Remittance } from "./Payout.ts"

/** Pays a credit balance out; whose it is has to be said where several customers have one. */
export const RequestPayout = Schema.Struct({
  kind: Schema.Literal("REFUND"),
  paymentMethodId: PaymentMethodId,
  /** In minor units. */
  amount: Money.check(Schema.isBetween({ minimum: 1, maximum: largestPayout })),
  customerId: Schema.optionalKey(CustomerId),
  /** What the payee reads on their statement. */
  remittance: Schema.optionalKey(Remittance)
}).annotate({ identifier: "RequestPayout" })
export type RequestPayout = typeof RequestPayout.Type

/** The money has left: on the statement, or in the bank's portal. */
export const RecordPaid = Schema.Struct({
  /** When; now where it is absent. */
  paidAt: Schema.optionalKey(InstantFromString)
}).annotate({ identifier: "RecordPaid" })
export type RecordPaid = typeof RecordPaid.Type

/** The bank did not pay, or gave the money back. */
export const RecordFailed = Schema.Struct({
  /** The bank's own code, such as `AC04`. */
  reasonCode: Text,
  /** When; now where it is absent. */
  failedAt: Schema.optionalKey(InstantFromString)
}).annotate({ identifier: "RecordFailed" })
export type RecordFailed = typeof RecordFailed.Type

/** A hit of the screening is approved with a reason alone. */
export const Approve = Schema.Struct({ reason: Schema.optionalKey(Text) }).annotate({
  identifier: "Approve"
})
export type Approve = typeof Approve.Type

export const Reject = Schema.Struct({ reason: Text }).annotate({ identifier: "Reject" })
export type Reject = typeof Reject.Type

/** Which approvals a list is of. */
export const ListApprovals = Schema.Struct({
  statuses: Schema.optionalKey(Schema.Array(ApprovalStatus).check(Schema.isMaxLength(100)))
})
export type ListApprovals = typeof ListApprovals.Type
