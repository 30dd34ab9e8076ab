/** The events of payments. */
import { type EventType, eventType, recordEventType } from "../requests/Event.ts"
import { BankAccountId, PaymentId, PaymentMethodId, PolicyId } from "../values/Ids.ts"
import { RefundId } from "./Refund.ts"

const payment = { policyId: PolicyId, paymentId: PaymentId }

export const paymentEvents = {
  "payment.recorded": eventType("payment.recorded", payment),
  "payment.returned": eventType("payment.returned", payment),
  "payment.refunded": eventType("payment.refunded", { policyId: PolicyId, refundId: RefundId }),
  "paymentMethod.add": recordEventType("payment_method.added", "paymentMethodId", PaymentMethodId),
  "paymentMethod.disable": recordEventType(
    "payment_method.disabled",
    "paymentMethodId",
    PaymentMethodId
  ),
  "bankAccount.put": recordEventType("bank_account.defined", "bankAccountId", BankAccountId)
} satisfies Record<string, EventType>
