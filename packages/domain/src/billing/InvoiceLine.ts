/** What an issued document keeps, beyond what it shows, so that it can be credited exactly. */
import { Schema } from "effect"
import { Amount } from "../values/Amount.ts"
import { DayRange, InvoiceLine, InvoiceType } from "./Invoice.ts"
import { LocalDate } from "../values/LocalDate.ts"
import { CustomerId, FormalNoticeId, InvoiceCause, QuoteId } from "../values/Ids.ts"

/** Where a recurring line's amount comes from: its term, the plan's period and that period's amount. */
export const PlanBasis = Schema.Struct({
  term: DayRange,
  period: DayRange,
  /** The whole period's amount; absent where the line's slice is the whole period. */
  amount: Schema.optionalKey(Amount)
})
export type PlanBasis = typeof PlanBasis.Type

/** One component × charge type × slice of an issued document. */
export const BilledLine = Schema.Struct({
  ...InvoiceLine.fields,
  /** The accepted quote that the line serves. */
  quoteId: QuoteId,
  /** The component's price for the whole term, of the premium items that the line charges. */
  price: Amount,
  /** On recurring lines. */
  basis: Schema.optionalKey(PlanBasis),
  /** Its recurring premium items that a stop does not give back: `NET`, `FEE <id>`, `TAX <id>`. */
  nonRefundable: Schema.optionalKey(Schema.Array(Schema.String)),
  /** On what a short-rate stop keeps of its refund: the first day without cover. */
  keptFrom: Schema.optionalKey(LocalDate),
  /** On a manual credit: what it credits is neither invoiced again nor credited twice. */
  byHand: Schema.optionalKey(Schema.Boolean)
})
export type BilledLine = typeof BilledLine.Type

/** Whether an invoice was made beside what was agreed: it says nothing of what the policy has come to. */
export const isByHand = (cause: InvoiceCause): boolean =>
  isCharge(cause) || cause.startsWith("invoice_")

/** Whether an invoice asks for what was charged by itself, which nothing that was quoted wants. */
export const isCharge = (cause: InvoiceCause): boolean =>
  cause.startsWith("charge_") || noticeCharged(cause) !== undefined

/**
 * The component that claims a refund again whose payment the bank has returned. No product and no manual
 * charge has a component of this name.
 */
export const repayment = "REFUND/RETURNED"

/** Whether an invoice asks for a refund back: it is owed to the balance, and is no income. */
export const isRepayment = (cause: InvoiceCause, { fees }: Amount): boolean =>
  isCharge(cause) && fees.some(({ id }) => id === repayment)

const isNotice = Schema.is(FormalNoticeId)

/** The formal notice whose cost an invoice asks for. */
export const noticeCharged = (cause: InvoiceCause): FormalNoticeId | undefined =>
  isNotice(cause) ? cause : undefined

/** What makes an invoice of a policy unique; the database refuses a second with the same key. */
export const InvoiceKey = Schema.Struct({
  /** From 1. */
  term: Schema.Int,
  type: InvoiceType,
  payerCustomerId: CustomerId,
  periodStart: LocalDate,
  cause: InvoiceCause
})
export type InvoiceKey = typeof InvoiceKey.Type
