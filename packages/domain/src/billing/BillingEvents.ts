/** The events of billing. */
import { Schema } from "effect"
import { type EventType, eventType } from "../requests/Event.ts"
import { ChargeId, CreditNoteId, InvoiceId, PolicyId } from "../values/Ids.ts"

const invoice = { policyId: PolicyId, invoiceId: InvoiceId }

export const billingEvents = {
  "invoice.issued": eventType("invoice.issued", invoice),
  "invoice.written_off": eventType("invoice.written_off", invoice),
  "invoice.write_off_reversed": eventType("invoice.write_off_reversed", invoice),
  "invoice.credited": eventType("invoice.credited", invoice),
  "invoice.cancelled": eventType("invoice.cancelled", invoice),
  "credit_note.issued": {
    type: "credit_note.issued",
    // The row names a credit note like an invoice.
    data: Schema.Struct({ policyId: PolicyId, creditNoteId: CreditNoteId }).pipe(
      Schema.encodeKeys({ creditNoteId: "invoiceId" })
    )
  },
  "policy.charged": eventType("policy.charged", { policyId: PolicyId, chargeId: ChargeId })
} satisfies Record<string, EventType>
