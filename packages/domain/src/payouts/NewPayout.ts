/** A payout as it is recorded when a person asks for it, with the approval that it waits for. */
import type { Refund } from "../payments/Refund.ts"
import type { BankAccountId, PaymentMethodId } from "../values/Ids.ts"
import type { Instant } from "../values/Instant.ts"
import type { Approval, ApprovalReason } from "./Approval.ts"
import type { ApprovalId, Payout, PayoutId } from "./Payout.ts"

/** What is known of a payout once its payee is checked. */
export interface AskedPayout {
  readonly id: PayoutId
  /** Of the approval, where one is needed. */
  readonly approvalId: ApprovalId
  readonly kind: Payout["kind"]
  /** The refund that takes the amount from the balance. */
  readonly refund: Pick<Refund, "amount" | "currency" | "customerId" | "id" | "policyId">
  readonly bankAccountId: BankAccountId
  readonly payee: { readonly holderName: string; readonly paymentMethodId: PaymentMethodId }
  readonly payeeCheck: Payout["payeeCheck"]
  readonly screening: Payout["screening"]
  /** The number that travels with the money. */
  readonly endToEndId: string
  /** The text for the payee; the number where it is absent. */
  readonly remittance: string | undefined
  readonly requestedBy: string
  readonly requestedAt: Instant
  /** Why another person has to agree. */
  readonly reasons: ReadonlyArray<ApprovalReason>
}

/** Without a reason it is approved at once; otherwise it waits for its approval. */
export const newPayout = (
  asked: AskedPayout
): { readonly payout: Payout; readonly approval: Approval | undefined } => {
  const { endToEndId, id, reasons, refund, requestedAt, requestedBy } = asked
  const { amount, currency, policyId } = refund
  const payout: Payout = {
    id,
    kind: asked.kind,
    policyId,
    customerId: refund.customerId,
    refundId: refund.id,
    bankAccountId: asked.bankAccountId,
    payee: { name: asked.payee.holderName, paymentMethodId: asked.payee.paymentMethodId },
    amount,
    currency,
    status: reasons.length === 0 ? "APPROVED" : "AWAITING_APPROVAL",
    endToEndId,
    remittance: asked.remittance ?? endToEndId,
    requestedBy,
    requestedAt,
    payeeCheck: asked.payeeCheck,
    screening: asked.screening
  }
  if (reasons.length === 0) return { payout, approval: undefined }
  const approval: Approval = {
    id: asked.approvalId,
    kind: "PAYOUT",
    recordId: id,
    policyId,
    amount,
    currency,
    reasons,
    requestedBy,
    requestedAt,
    status: "PENDING"
  }
  return { payout: { ...payout, approvalId: approval.id }, approval }
}
