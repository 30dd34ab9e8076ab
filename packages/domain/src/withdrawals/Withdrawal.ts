/**
 * A customer's withdrawal from a contract: asked for, which shows its end and its refund, then confirmed, which
 * stops the contract. European law: art. 11a of directive 2011/83/EU; France: art. L112-2-1 code des assurances.
 */
import { Schema } from "effect"
import { Currency, Money } from "../values/Amount.ts"
import { PolicyId } from "../values/Ids.ts"
import { Instant } from "../values/Instant.ts"
import { LocalDate } from "../values/LocalDate.ts"
import * as PrefixedId from "../values/PrefixedId.ts"

export const WithdrawalId = PrefixedId.schema("withdrawal")
export type WithdrawalId = typeof WithdrawalId.Type

export const Withdrawal = Schema.Struct({
  id: WithdrawalId,
  policyId: PolicyId,
  status: Schema.Literals(["DRAFT", "CONFIRMED"]),
  /** Who withdraws, and where the acknowledgement goes. */
  name: Schema.String,
  email: Schema.String,
  requestedAt: Instant,
  /** The first instant without cover; of a draft as it would be if it were confirmed then. */
  endsAt: Instant,
  /** What is credited, with fees and taxes. */
  refund: Money,
  currency: Currency,
  confirmedAt: Schema.optionalKey(Instant),
  /** The last day on which the refund is paid in time. */
  refundDueOn: Schema.optionalKey(LocalDate),
  /** When it was found that a refund is still owed after its day. */
  refundOverdueAt: Schema.optionalKey(Instant),
  /** When the letter that acknowledges it was handed over. */
  acknowledgedAt: Schema.optionalKey(Instant)
}).annotate({ identifier: "Withdrawal" })
export type Withdrawal = typeof Withdrawal.Type

/** Until when a policy can be withdrawn from. */
export const WithdrawalRight = Schema.Struct({
  policyId: PolicyId,
  /** `NONE`: the policy has no such right, or is not signed. `OPEN`: it has it now. `OVER`: it had it. */
  status: Schema.Literals(["NONE", "OPEN", "OVER"]),
  /** The first instant after the period; absent as long as the period has not begun. */
  until: Schema.optionalKey(Instant),
  exercisedAt: Schema.optionalKey(Instant),
  /** The law that it comes from. */
  source: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "WithdrawalRight" })
export type WithdrawalRight = typeof WithdrawalRight.Type

export class WithdrawalNotFound extends Schema.TaggedError<WithdrawalNotFound>()(
  "WithdrawalNotFound",
  { withdrawalId: WithdrawalId }
) {
  override get message() {
    return `Withdrawal ${this.withdrawalId} does not exist; ask for it again.`
  }
}

/** The contract cannot be withdrawn from: not any more, or not at all. */
export class WithdrawalOver extends Schema.TaggedError<WithdrawalOver>()("WithdrawalOver", {
  policyId: PolicyId,
  until: Schema.optionalKey(Instant)
}) {
  override get message() {
    return this.until === undefined
      ? "This contract has no right of withdrawal; stop it for another reason."
      : `The right of withdrawal ended at ${this.until}; stop the contract for another reason.`
  }
}
