/** Invoices as they are stored. */
import type { Amount, Currency } from "../values/Amount.ts"
import type { AnyInvoiceId, CustomerId, InvoiceCause, InvoiceId, PolicyId } from "../values/Ids.ts"
import type { Instant } from "../values/Instant.ts"
import type { LocalDate } from "../values/LocalDate.ts"
import type { InvoiceStatus, InvoiceType } from "./Invoice.ts"
import type { InvoiceCollection } from "./InvoiceCollection.ts"
import type { BilledLine } from "./InvoiceLine.ts"

/** An invoice without its amounts by fee and tax and without its lines, which are most of it. */
export interface InvoiceSummary {
  readonly id: AnyInvoiceId
  readonly policyId: PolicyId
  readonly customerId: CustomerId
  readonly type: InvoiceType
  /** Series and number together are the printed number (`InvoiceNumber.ts`). A series has no gaps. */
  readonly series: string
  readonly number: number
  readonly status: InvoiceStatus
  readonly currency: Currency
  readonly term: number
  readonly periodStart: LocalDate
  readonly periodEnd: LocalDate
  readonly cause: InvoiceCause
  /** Whether it is the policy's first invoice; cover may depend on its payment. */
  readonly isFirst: boolean
  readonly plannedOn: LocalDate
  readonly issuedAt: Instant
  readonly dueOn: LocalDate
  /** In minor units, as `paid` is. */
  readonly total: number
  readonly paid: number
  /** When nothing was left to pay: it was paid, or the remainder was credited. */
  readonly paidAt: Instant | null
  readonly creditedInvoiceId: InvoiceId | null
}

/** An invoice or a credit note; its lines keep what corrections need. */
export interface StoredInvoice extends InvoiceSummary {
  /** How its money is to come; `null` of a product that does not say it. */
  readonly collection: InvoiceCollection | null
  readonly amount: Amount
  readonly lines: ReadonlyArray<BilledLine>
}

/** How an invoice stands after money came or went. */
export type InvoiceSettlement = Pick<InvoiceSummary, "id" | "status" | "paid" | "paidAt">
