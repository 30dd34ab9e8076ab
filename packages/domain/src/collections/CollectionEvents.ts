/** The events of debits. */
import { type EventType, eventType, recordEventType } from "../requests/Event.ts"
import { PolicyId } from "../values/Ids.ts"
import { DebitId } from "./Debit.ts"
import { PaymentFileId } from "./PaymentFile.ts"

const debit = { policyId: PolicyId, debitId: DebitId }

export const collectionEvents = {
  "debit.plan": recordEventType("debit.planned", "debitId", DebitId),
  "debit.extend": recordEventType("debit.extended", "debitId", DebitId),
  "debit.notify": recordEventType("debit.notified", "debitId", DebitId),
  "debit.askPeople": recordEventType("debit.notification_needed", "debitId", DebitId),
  "debit.postpone": recordEventType("debit.postponed", "debitId", DebitId),
  "debit.cancel": recordEventType("debit.cancelled", "debitId", DebitId),
  "debit.filled": eventType("debit.filled", debit),
  "debit.settled": eventType("debit.settled", debit),
  "debit.rejected": eventType("debit.rejected", debit),
  "debit.returned": eventType("debit.returned", debit),
  "paymentFile.fill": recordEventType("payment_file.filled", "paymentFileId", PaymentFileId),
  "paymentFile.seal": recordEventType("payment_file.sealed", "paymentFileId", PaymentFileId),
  "paymentFile.deliver": recordEventType("payment_file.delivered", "paymentFileId", PaymentFileId),
  "paymentFile.answer": recordEventType("payment_file.answered", "paymentFileId", PaymentFileId),
  "paymentFile.cancel": recordEventType("payment_file.cancelled", "paymentFileId", PaymentFileId)
} satisfies Record<string, EventType>
