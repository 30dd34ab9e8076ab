/** The events of payments. */
import { type EventType, eventType, recordEventType } from "../requests/Event.ts"
import { BankAccountId, MandateId, PaymentId, PaymentMethodId, PolicyId } from "../values/Ids.ts"
import { RefundId } from "./Refund.ts"

const payment = { policyId: PolicyId, paymentId: PaymentId }

const mandate = <const T extends string>(type: T) => recordEventType(type, "mandateId", MandateId)

export const paymentEvents = {
  "payment.recorded": eventType("payment.recorded", payment),
  "payment.returned": eventType("payment.returned", payment),
  "payment.refunded": eventType("payment.refunded", { policyId: PolicyId, refundId: RefundId }),
  "payment.refund_returned": eventType("payment.refund_returned", {
    policyId: PolicyId,
    refundId: RefundId
  }),
  "paymentMethod.add": recordEventType("payment_method.added", "paymentMethodId", PaymentMethodId),
  "paymentMethod.disable": recordEventType(
    "payment_method.disabled",
    "paymentMethodId",
    PaymentMethodId
  ),
  "mandate.create": mandate("mandate.created"),
  "mandate.import": mandate("mandate.imported"),
  "mandate.sign": mandate("mandate.signed"),
  "mandate.confirmBank": mandate("mandate.bank_confirmed"),
  "mandate.amend": mandate("mandate.amended"),
  "mandate.block": mandate("mandate.blocked"),
  "mandate.unblock": mandate("mandate.unblocked"),
  "mandate.cancel": mandate("mandate.cancelled"),
  "bankAccount.put": recordEventType("bank_account.defined", "bankAccountId", BankAccountId)
} satisfies Record<string, EventType>
