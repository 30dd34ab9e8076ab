/** What an issued document keeps, beyond what it shows, so that it can be credited exactly. */
import { Schema } from "effect"
import { Amount } from "./Amount.ts"
import { CustomerId } from "./Customer.ts"
import { DayRange, InvoiceLine, InvoiceType } from "./Invoice.ts"
import { LocalDate } from "./LocalDate.ts"
import { QuoteId } from "./Quote.ts"

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
  basis: Schema.optionalKey(PlanBasis)
})
export type DocumentLine = typeof DocumentLine.Type

/** Why a document was made: empty on the grid, else the first payment. */
export const DocumentCause = Schema.Literals(["", "FIRST_PAYMENT"])
export type DocumentCause = typeof DocumentCause.Type

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
