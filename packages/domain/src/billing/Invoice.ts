import { Schema } from "effect"
import { Amount, ChargeType, Currency, Money } from "../values/Amount.ts"
import { Instant } from "../values/Instant.ts"
import { LocalDate } from "../values/LocalDate.ts"
import { InvoiceCollection } from "./InvoiceCollection.ts"
import * as PrefixedId from "../values/PrefixedId.ts"
import { AnyInvoiceId, CustomerId, InvoiceId } from "../values/Ids.ts"

export const InvoiceType = Schema.Literals(["INVOICE", "CREDIT_NOTE"])
export type InvoiceType = typeof InvoiceType.Type

export const InvoiceStatus = Schema.Literals([
  "DRAFTED",
  "ISSUED",
  "PAYMENT_IN_PROGRESS",
  "PAID",
  "PAYMENT_FAILED",
  "PARTIALLY_PAID",
  "PAYMENT_DISPUTED",
  "CREDITED",
  "WRITTEN_OFF",
  "CANCELLED"
])
export type InvoiceStatus = typeof InvoiceStatus.Type

/** An invoice in one of these is unpaid: it counts as arrears, due or not. */
export const unpaidStatuses = [
  "ISSUED",
  "PAYMENT_IN_PROGRESS",
  "PAYMENT_FAILED",
  "PARTIALLY_PAID",
  "PAYMENT_DISPUTED"
] as const satisfies ReadonlyArray<InvoiceStatus>

/** A half-open interval of local days. */
export const DayRange = Schema.Struct({ start: LocalDate, end: LocalDate })
export type DayRange = typeof DayRange.Type

export const InvoiceLine = Schema.Struct({
  componentId: Schema.String,
  label: Schema.String,
  chargeType: ChargeType,
  slice: DayRange,
  amount: Amount,
  corrects: Schema.optionalKey(AnyInvoiceId)
}).annotate({ identifier: "InvoiceLine" })
export type InvoiceLine = typeof InvoiceLine.Type

export const Invoice = Schema.Struct({
  id: AnyInvoiceId,
  type: InvoiceType,
  number: Schema.String,
  policyId: PrefixedId.schema("policy"),
  customerId: CustomerId,
  status: InvoiceStatus,
  issuedAt: Instant,
  dueOn: LocalDate,
  period: DayRange,
  currency: Currency,
  lines: Schema.Array(InvoiceLine),
  total: Amount,
  amountPaid: Money,
  amountDue: Money,
  paidAt: Schema.optionalKey(Instant),
  /** Of a product that says how its money is collected. */
  collection: Schema.optionalKey(InvoiceCollection),
  creditedInvoiceId: Schema.optionalKey(InvoiceId)
}).annotate({ identifier: "Invoice" })
export type Invoice = typeof Invoice.Type

export class InvoiceNotFound extends Schema.TaggedError<InvoiceNotFound>()("InvoiceNotFound", {
  invoiceId: Schema.String
}) {
  override get message() {
    return `Invoice ${this.invoiceId} does not exist; check the identifier and the tenant.`
  }
}

/** One instalment to come, as `GET /billing/policies/{policyId}/schedule` shows it. */
export const Instalment = Schema.Struct({
  payerCustomerId: CustomerId,
  periodStart: LocalDate,
  periodEnd: LocalDate,
  issueOn: LocalDate,
  dueOn: LocalDate,
  amount: Amount,
  components: Schema.Array(InvoiceLine)
}).annotate({ identifier: "Instalment" })
export type Instalment = typeof Instalment.Type
