/** Debits: what is collected from a payer's account on a day, for which invoices, and what became of it. */
import { Schema } from "effect"
import { DebitCancellation, DebitStatus } from "../payments/DebitLifecycle.ts"
import { DebitScheme } from "../payments/Mandate.ts"
import { Currency, Money } from "../values/Amount.ts"
import {
  BankAccountId,
  CustomerId,
  InvoiceId,
  MandateId,
  PaymentId,
  PaymentMethodId,
  PolicyId
} from "../values/Ids.ts"
import { Instant } from "../values/Instant.ts"
import { LocalDate } from "../values/LocalDate.ts"
import { PaymentFileId } from "./PaymentFile.ts"
import * as PrefixedId from "../values/PrefixedId.ts"

export const DebitId = PrefixedId.schema("debit")
export type DebitId = typeof DebitId.Type

/** An invoice that a debit collects, in minor units of its currency. */
export const DebitItem = Schema.Struct({
  invoiceId: InvoiceId,
  /** The most that is taken: what the payer is told of it. */
  notified: Money,
  /** What was taken, once the debit is in a file. */
  amount: Schema.optionalKey(Money)
}).annotate({ identifier: "DebitItem" })
export type DebitItem = typeof DebitItem.Type

export const DebitAnnouncement = Schema.Literals(["EMAIL", "BY_HAND"]).annotate({
  identifier: "DebitAnnouncement"
})

export const Debit = Schema.Struct({
  id: DebitId,
  policyId: PolicyId,
  customerId: CustomerId,
  bankAccountId: BankAccountId,
  paymentMethodId: PaymentMethodId,
  mandateId: MandateId,
  scheme: DebitScheme,
  /** The number that travels with the money; it is used once. */
  endToEndId: Schema.String,
  currency: Currency,
  status: DebitStatus,
  items: Schema.Array(DebitItem),
  /** Days between the notification and the collection. */
  notificationDays: Schema.Int,
  /** How the payer is told: by a letter, or by people, who have to where `notifiedOn` is absent. */
  announcement: Schema.optionalKey(DebitAnnouncement),
  /** The local day, at the account, on which the payer was told; absent: not yet. */
  notifiedOn: Schema.optionalKey(LocalDate),
  /** The first day on which it may be collected, open or not. */
  earliest: LocalDate,
  submitOn: LocalDate,
  collectOn: LocalDate,
  /** From 1: how often its money was tried, itself included. */
  attempt: Schema.Int,
  /** What it collects in all, once it is in a file. */
  amount: Schema.optionalKey(Money),
  cancellation: Schema.optionalKey(DebitCancellation),
  plannedAt: Instant,
  paymentFileId: Schema.optionalKey(PaymentFileId),
  /** What was recorded once it was collected. */
  paymentId: Schema.optionalKey(PaymentId),
  /** Its invoices were paid otherwise while it was with the bank. */
  flag: Schema.optionalKey(Schema.Literal("DOUBLE_PAYMENT")),
  /** Why the bank refused or returned it, as it says, and the local day on which it did. */
  reasonCode: Schema.optionalKey(Schema.String),
  failedOn: Schema.optionalKey(LocalDate),
  /** The one whose money it collects once more. */
  replaces: Schema.optionalKey(DebitId)
}).annotate({ identifier: "Debit" })
export type Debit = typeof Debit.Type

/** A debit that failed, and whose money is not to be collected by another one. */
export class DebitNotRetriable extends Schema.TaggedError<DebitNotRetriable>()(
  "DebitNotRetriable",
  {
    debitId: DebitId,
    reason: Schema.Literals(["NOTHING_DUE", "BEING_COLLECTED", "KNOWN_TO_BANK", "RETRIED"])
  }
) {
  override get message() {
    return notRetriable[this.reason](this.debitId)
  }
}

const notRetriable = {
  NOTHING_DUE: (id: DebitId) =>
    `The invoices of debit ${id} ask for nothing any more; there is nothing to do.`,
  BEING_COLLECTED: (id: DebitId) =>
    `Another debit collects the invoices of debit ${id}; wait for it, or cancel it while it is planned.`,
  KNOWN_TO_BANK: (id: DebitId) =>
    `The bank has the payment of debit ${id} already and took it once; ask the bank what became of it.`,
  RETRIED: (id: DebitId) =>
    `Debit ${id} was tried once more; retry the last debit of its invoices instead.`
}

export class DebitNotFound extends Schema.TaggedError<DebitNotFound>()("DebitNotFound", {
  debitId: DebitId
}) {
  override get message() {
    return `Debit ${this.debitId} does not exist; check the identifier and the tenant.`
  }
}
