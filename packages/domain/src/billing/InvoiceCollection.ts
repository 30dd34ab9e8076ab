/** How the money of an invoice is to come, as it was decided when it was issued. */
import { Schema } from "effect"

/** Why an invoice of a payer who pays by debit is to be transferred. */
export const TransferReason = Schema.Literals([
  "NO_MANDATE",
  "MANDATE_NOT_USABLE",
  "CURRENCY",
  "NO_BANK_ACCOUNT"
])

export const InvoiceCollection = Schema.Struct({
  mode: Schema.Literals(["DIRECT_DEBIT", "BANK_TRANSFER"]),
  because: Schema.optionalKey(TransferReason)
}).annotate({ identifier: "InvoiceCollection" })
export type InvoiceCollection = typeof InvoiceCollection.Type
