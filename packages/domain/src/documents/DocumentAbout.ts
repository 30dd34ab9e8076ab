/** What is written down about a document when it becomes due, since it could not be known again later. */
import { Schema } from "effect"
import { Money } from "../values/Amount.ts"
import { InvoiceId } from "../values/Ids.ts"

const Owed = Schema.Struct({
  invoiceId: InvoiceId,
  /** In minor units. */
  due: Money
})

export const DocumentAbout = Schema.Struct({
  /** Of a formal notice: what was owed of the invoices that it was written about. */
  owed: Schema.optionalKey(Schema.Array(Owed))
})
export type DocumentAbout = typeof DocumentAbout.Type
