/** What the members of payouts and approvals mean. */
import type { ParameterTerms } from "../requests/AreaReference.ts"
import { exampleId as id } from "../requests/Examples.ts"

export const payoutTerms = {
  "Payout.id": "The payout, by its identifier.",
  "Payout.kind": "What is paid: the refund of a credit balance.",
  "RequestPayout.kind": "What is paid: the refund of a credit balance.",
  "Payout.policyId": "The policy that it is paid from.",
  "Payout.customerId": "Whose credit balance it is.",
  "RequestPayout.customerId":
    "Whose credit balance it is; needed where several customers of the policy have one.",
  refundId: "The refund that took it from the credit balance.",
  "Payout.bankAccountId": "The account of the tenant that it is paid from.",
  payee: "Who is paid, and to which account.",
  "payee.name": "The holder of the account, as it was given with it.",
  "payee.paymentMethodId": "The payment method that it is paid to.",
  "RequestPayout.paymentMethodId":
    "The payment method that it is paid to; one of another customer needs an approval.",
  "Payout.amount": "What is paid, in the minor unit of the currency.",
  "RequestPayout.amount": "What is paid, in the minor unit of the policy's currency; at least 1.",
  "Payout.status": "How far it is; what is rejected, cancelled or failed is on the balance again.",
  endToEndId: "The number that travels with the money, and comes back in statements.",
  "Payout.remittance": "What the payee reads on their statement.",
  "RequestPayout.remittance":
    "What the payee reads on their statement, at most 140 characters; the number of the payout without it.",
  "Payout.requestedBy": "Who has asked for it.",
  "Payout.requestedAt": "When it was asked for, in UTC.",
  payeeCheck: "What the payee's bank says of the holder's name.",
  "PayeeCheck.result":
    "`CLOSE_MATCH` waits to be confirmed, `NO_MATCH` for an approval; `NOT_POSSIBLE` goes on.",
  nameAtBank: "The name that the bank has, where that is nearly the one given.",
  "PayeeCheck.checkedAt": "When the bank was asked, in UTC; its answer holds for a year.",
  "PayeeCheck.confirmedAt": "When a person has confirmed a name that nearly matches, in UTC.",
  screening: "Whether the payee is on the list of asset freezes.",
  "ScreeningAnswer.result":
    "`HIT`: a name on the list is like the payee's. `NOT_SCREENED`: no list is loaded.",
  listVersion: "The version of the list that was asked.",
  "ScreeningAnswer.entries": "The entries of the list that the name may be of.",
  screenedAt: "When the list was asked, in UTC.",
  "Payout.approvalId": "The approval that it waits for or was decided by; absent: none was needed.",
  "Payout.outcome": "What the bank has done with it.",
  "PayoutOutcome.at": "When the money left, or came back, in UTC.",
  "PayoutOutcome.reasonCode": "The bank's code of a failure, such as `AC04`.",
  "PayoutOutcome.recordedAt": "When it was recorded, in UTC.",
  "RecordPaid.paidAt": "When the money left; now where it is absent.",
  "RecordFailed.reasonCode": "The bank's own code, such as `AC04`.",
  failedAt: "When the bank refused it or gave it back; now where it is absent.",
  "Approval.id": "The approval, by its identifier.",
  "Approval.kind": "What is asked for.",
  "Approval.recordId": "The payout that is asked for.",
  "Approval.policyId": "The policy that it is paid from.",
  "Approval.amount": "What is asked for, in the minor unit of the currency.",
  reasons: "Why another person has to agree.",
  "Approval.requestedBy": "Who has asked for it, and can't decide.",
  "Approval.requestedAt": "When it was asked for, in UTC.",
  "Approval.status": "`WITHDRAWN`: what was asked for was cancelled before a decision.",
  decision: "Who has decided, and why.",
  "ApprovalDecision.by": "Who has decided.",
  "ApprovalDecision.at": "When, in UTC.",
  "ApprovalDecision.reason": "What they said.",
  "Approve.reason":
    "Why it is agreed to; needed where a name on the list of asset freezes is alike.",
  "Reject.reason": "Why it is refused.",
  "Refund.returned": "That the refund came back, or never left: it is on the balance again.",
  "RefundReturn.returnedAt": "When it came back, in UTC.",
  "RefundReturn.recordedAt": "When that was recorded, in UTC.",
  "details.payoutId": "The payout that the tenant does not have.",
  "details.approvalId": "The approval that the tenant does not have."
}

/** What the parameters of this area mean. */
export const payoutParameters: ParameterTerms = {
  payoutId: { means: "The payout, by its identifier.", example: id("payout") },
  approvalId: { means: "The approval, by its identifier.", example: id("approval") },
  "approvals.list.statuses": { means: "Only approvals in one of these statuses; at most 100." }
}
