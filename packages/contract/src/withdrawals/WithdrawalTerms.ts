/** What the members of withdrawals mean. */
import type { ParameterTerms } from "../requests/AreaReference.ts"
import { exampleId as id } from "../requests/Examples.ts"

export const withdrawalTerms = {
  "Withdrawal.id": "The withdrawal, by its identifier.",
  "Withdrawal.policyId": "The policy that is withdrawn from.",
  "Withdrawal.status":
    "`DRAFT`: asked for, and without effect. `CONFIRMED`: the policy is stopped.",
  "Withdrawal.name": "Who withdraws, as they have said it.",
  "RequestWithdrawal.name": "Who withdraws.",
  "Withdrawal.email": "Where the acknowledgement goes.",
  "RequestWithdrawal.email": "Where the acknowledgement is to go.",
  policyNumber: "The policy's `incrementalId` or `externalId`; another one is refused.",
  "Withdrawal.requestedAt": "When it was asked for, in UTC.",
  "Withdrawal.endsAt":
    "The first instant without cover, in UTC; of a draft what it would have been at its request.",
  "details.withdrawalId": "The withdrawal that the tenant does not have.",
  "Withdrawal.refund":
    "What is credited, with fees and taxes, in the minor unit of the currency; of a draft what it would have been.",
  "Withdrawal.currency": "The currency of the refund, by ISO 4217.",
  "Withdrawal.confirmedAt": "When it was confirmed, in UTC.",
  refundDueOn: "The last day on which what was paid is to be given back.",
  refundOverdueAt: "When it was found, in UTC, that a credit balance is still owed after that day.",
  acknowledgedAt: "When the letter that acknowledges it was handed over, in UTC.",
  "WithdrawalRight.policyId": "The policy that was asked for.",
  "WithdrawalRight.status":
    "`NONE`: the policy has no such right, or is not signed. `OPEN`: it has it. `OVER`: its period has ended.",
  until:
    "The first instant after the period, in UTC; absent as long as the period has not begun, because a policyholder lacks the terms.",
  exercisedAt: "When a withdrawal was last confirmed, in UTC.",
  source: "The law that the right comes from."
}

/** What the parameters of this area mean. */
export const withdrawalParameters: ParameterTerms = {
  withdrawalId: { means: "The withdrawal, by its identifier.", example: id("withdrawal") }
}
