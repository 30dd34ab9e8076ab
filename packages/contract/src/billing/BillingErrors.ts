/** The errors of the area billing on the wire. The last argument of each shows its details. */
import * as Invoice from "@quittance/domain/billing/Invoice"
import { exampleId as id } from "../requests/Examples.ts"
import { wireError } from "../requests/WireError.ts"

export const billingErrors = {
  InvoiceNotFound: wireError(
    Invoice.InvoiceNotFound,
    404,
    "INVOICE_NOT_FOUND",
    "The tenant has no such invoice or credit note.",
    { invoiceId: id("invoice") }
  )
} as const
