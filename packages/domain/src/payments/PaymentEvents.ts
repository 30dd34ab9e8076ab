/** The events of payments. */
import { type EventType, eventType, recordEventType } from "../requests/Event.ts"
import { BankAccountId, PaymentId, PolicyId } from "../values/Ids.ts"
import { RefundId } from "./Refund.ts"

const payment = { policyId: PolicyId, paymentId: PaymentId }

export const paymentEvents = {
  "payment.recorded": eventType("payment.recorded", payment),
  "payment.returned": eventType("payment.returned", payment),
  "payment.refunded": eventType("payment.refunded", { policyId: PolicyId, refundId: RefundId }),
  "bankAccount.put": recordEventType("bank_account.defined", "bankAccountId", BankAccountId)
} satisfies Record<string, EventType>
