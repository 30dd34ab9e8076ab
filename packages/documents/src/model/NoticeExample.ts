/** A notice of an unpaid invoice, on the days that a product's own rules of dunning give. */
import type { Invoice } from "@quittance/domain/billing/Invoice"
import type { FormalNotice } from "@quittance/domain/dunning/Dunning"
import type { Product } from "@quittance/domain/products/Product"
import type { Duration } from "@quittance/domain/values/Duration"
import type { Instant } from "@quittance/domain/values/Instant"
import { addDays } from "@quittance/domain/values/LocalDate"
import * as PrefixedId from "@quittance/domain/values/PrefixedId"
import { plus, startOfDay } from "@quittance/domain/values/TimeZone"

/** An example is of the form that the schema of its kind wants. */
export const id = <P extends PrefixedId.Prefix>(prefix: P) =>
  PrefixedId.example(prefix) as PrefixedId.Id<P>

export const exampleNotice = ({ dunning, timeZone }: Product, invoice: Invoice): FormalNotice => {
  const { suspend, terminate } = dunning
  const createdAt = startOfDay(addDays(invoice.dueOn, 11), timeZone)
  const after = (from: Instant, duration: Duration) => plus(from, duration, 1, timeZone)
  const since = { NOTICE: createdAt, DUE_DATE: startOfDay(invoice.dueOn, timeZone) }
  const suspendedAt = after(since[suspend.from], suspend.after)
  return {
    id: id("formal_notice"),
    policyId: invoice.policyId,
    payerCustomerId: invoice.customerId,
    // The example is an invoice, not a credit note.
    invoiceIds: [id("invoice")],
    status: "TO_SEND",
    channel: dunning.notice?.channel ?? "LETTER",
    createdAt,
    announcesTermination: terminate.mode === "ANNOUNCED",
    suspendedAt,
    terminableAt: after({ ...since, SUSPENSION: suspendedAt }[terminate.from], terminate.after)
  }
}
