/** What an issued document keeps, beyond what it shows, so that it can be credited exactly. */
import { Schema } from "effect"
import { Amount } from "../values/Amount.ts"
import { ChargeId } from "./Charge.ts"
import { ChangeId } from "../policies/Change.ts"
import { CustomerId } from "../customers/Customer.ts"
import { FormalNoticeId } from "../dunning/Dunning.ts"
import { DayRange, InvoiceId, InvoiceLine, InvoiceType } from "./Invoice.ts"
import { LocalDate } from "../values/LocalDate.ts"
import { QuoteId } from "../products/Quote.ts"

/** Where a recurring line's amount comes from: its term, the plan's period and that period's amount. */
export const PlanBasis = Schema.Struct({
  term: DayRange,
  period: DayRange,
  /** The whole period's amount; absent where the line's slice is the whole period. */
  amount: Schema.optionalKey(Amount)
})
export type PlanBasis = typeof PlanBasis.Type

/** One component × charge type × slice of an issued document. */
export const DocumentLine = Schema.Struct({
  ...InvoiceLine.fields,
  /** The accepted quote that the line serves. */
  quoteId: QuoteId,
  /** The component's price for the whole term, of the leaves that the line charges. */
  price: Amount,
  /** On recurring lines. */
  basis: Schema.optionalKey(PlanBasis),
  /** Its recurring leaves that a stop does not give back: `NET`, `FEE <id>`, `TAX <id>`. */
  nonRefundable: Schema.optionalKey(Schema.Array(Schema.String)),
  /** On what a short-rate stop keeps of its refund: the first day without cover. */
  keptFrom: Schema.optionalKey(LocalDate),
  /** On a credit by hand: what it takes back is neither charged again nor given back once more. */
  byHand: Schema.optionalKey(Schema.Boolean)
})
export type DocumentLine = typeof DocumentLine.Type

/**
 * Why a document was made: empty on the grid, the first payment, or the change whose merge, stop or
 * revert made what was invoiced wrong, or what was done beside it: the invoice credited, the charge, the
 * formal notice that costs something.
 */
export const DocumentCause = Schema.Union([
  Schema.Literals(["", "FIRST_PAYMENT"]),
  ChangeId,
  ChargeId,
  FormalNoticeId,
  InvoiceId
])
export type DocumentCause = typeof DocumentCause.Type

/** Whether a document was made beside what was agreed: it says nothing of what the policy has come to. */
export const isByHand = (cause: DocumentCause): boolean =>
  isCharge(cause) || cause.startsWith("invoice_")

/** Whether a document asks for what was charged by itself, which nothing that was quoted wants. */
export const isCharge = (cause: DocumentCause): boolean =>
  cause.startsWith("charge_") || noticeCharged(cause) !== undefined

const isNotice = Schema.is(FormalNoticeId)

/** The formal notice whose cost a document asks for. */
export const noticeCharged = (cause: DocumentCause): FormalNoticeId | undefined =>
  isNotice(cause) ? cause : undefined

/** What makes a document of a policy unique; the database refuses a second with the same key. */
export const DocumentKey = Schema.Struct({
  /** From 1. */
  term: Schema.Int,
  type: InvoiceType,
  payerCustomerId: CustomerId,
  periodStart: LocalDate,
  cause: DocumentCause
})
export type DocumentKey = typeof DocumentKey.Type
