/** What is written down about a document when it becomes due, since it could not be known again later. */
import { Schema } from "effect"
import { Money } from "../values/Amount.ts"
import { InvoiceId } from "../values/Ids.ts"
import { LocalDate } from "../values/LocalDate.ts"

const Owed = Schema.Struct({
  invoiceId: InvoiceId,
  /** In minor units. */
  due: Money
})

export const DocumentAbout = Schema.Struct({
  /** Of a formal notice: what was owed of the invoices that it was written about. */
  owed: Schema.optionalKey(Schema.Array(Owed)),
  /** Of a certificate: the first and the last day that were covered and paid for when it was asked for. */
  certificate: Schema.optionalKey(Schema.Struct({ from: LocalDate, to: LocalDate }))
})
export type DocumentAbout = typeof DocumentAbout.Type
