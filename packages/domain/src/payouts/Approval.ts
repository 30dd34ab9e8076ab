/** What one person asks for and another has to agree to. */
import { Schema } from "effect"
import { Currency, Money } from "../values/Amount.ts"
import { addDays, type LocalDate } from "../values/LocalDate.ts"
import { Instant } from "../values/Instant.ts"
import { Text } from "../values/Text.ts"
import { PolicyId } from "../values/Ids.ts"
import { ApprovalId, type PayeeCheckResult, PayoutId, type ScreeningAnswer } from "./Payout.ts"

/**
 * Why another person has to agree: the amount is beyond the asker's authority; the account is younger than
 * seven days; it is of another customer; its bank says that the holder has another name; a name on the list
 * of asset freezes is like the payee's.
 */
export const ApprovalReason = Schema.Literals([
  "ABOVE_AUTHORITY",
  "NEW_ACCOUNT",
  "OTHER_CUSTOMER",
  "NO_MATCH",
  "SCREENING_HIT"
])
export type ApprovalReason = typeof ApprovalReason.Type

export const ApprovalStatus = Schema.Literals([
  "PENDING",
  "APPROVED",
  "REJECTED",
  "WITHDRAWN"
]).annotate({ identifier: "ApprovalStatus" })
export type ApprovalStatus = typeof ApprovalStatus.Type

/** Who has decided, when, and what they said. */
export const ApprovalDecision = Schema.Struct({
  by: Schema.String,
  at: Instant,
  reason: Schema.optionalKey(Text)
}).annotate({ identifier: "ApprovalDecision" })

export const Approval = Schema.Struct({
  id: ApprovalId,
  /** What is asked for. */
  kind: Schema.Literal("PAYOUT"),
  recordId: PayoutId,
  policyId: PolicyId,
  /** In minor units. */
  amount: Money,
  currency: Currency,
  reasons: Schema.Array(ApprovalReason),
  requestedBy: Schema.String,
  requestedAt: Instant,
  status: ApprovalStatus,
  decision: Schema.optionalKey(ApprovalDecision)
}).annotate({ identifier: "Approval" })
export type Approval = typeof Approval.Type

export class ApprovalNotFound extends Schema.TaggedError<ApprovalNotFound>()("ApprovalNotFound", {
  approvalId: ApprovalId
}) {
  override get message() {
    return `Approval ${this.approvalId} does not exist; check the identifier and the tenant.`
  }
}

/** How long an account is new, in days. */
export const newForDays = 7

/** Why another person has to agree to a payout; none where its asker may decide alone. */
export const approvalReasons = (asked: {
  readonly amount: number
  /** The asker's authority, in minor units. */
  readonly limit: number
  readonly method: { readonly isTheirs: boolean; readonly addedOn: LocalDate }
  readonly payee: PayeeCheckResult
  readonly screening: ScreeningAnswer["result"]
  readonly today: LocalDate
}): ReadonlyArray<ApprovalReason> => {
  const reasons: ReadonlyArray<readonly [ApprovalReason, boolean]> = [
    ["ABOVE_AUTHORITY", asked.amount > asked.limit],
    ["NEW_ACCOUNT", asked.today < addDays(asked.method.addedOn, newForDays)],
    ["OTHER_CUSTOMER", !asked.method.isTheirs],
    ["NO_MATCH", asked.payee === "NO_MATCH"],
    ["SCREENING_HIT", asked.screening === "HIT"]
  ]
  return reasons.flatMap(([reason, holds]) => (holds ? [reason] : []))
}
