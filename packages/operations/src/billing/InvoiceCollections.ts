/** How the money of invoices is to come. An area above this one decides it; `Wiring` provides it. */
import type { UnnumberedInvoice } from "@quittance/billing/billing/account/InvoiceIssuing"
import type { InvoiceCollection } from "@quittance/domain/billing/InvoiceCollection"
import type { ProductPayments } from "@quittance/domain/products/payments/ProductPayments"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Instant } from "@quittance/domain/values/Instant"
import { Context, type Effect } from "effect"
import type { Actor } from "../requests/Actor.ts"

/** An invoice of a product that says how its money is collected, as it is issued. */
export interface CollectedInvoice {
  readonly invoice: UnnumberedInvoice
  readonly productId: string
  readonly terms: ProductPayments
  readonly now: Instant
}

export interface PlannedCollections {
  /** How each is collected. */
  readonly of: ReadonlyMap<UnnumberedInvoice["id"], InvoiceCollection>
  /** Writes what collects them, once the invoices are written. */
  readonly write: Effect.Effect<void, never, CurrentTenant>
}

export class InvoiceCollections extends Context.Service<
  InvoiceCollections,
  {
    /** Part of the transaction that issues the invoices, and holds the heads of their policies. */
    plan(
      issued: ReadonlyArray<CollectedInvoice>,
      actor: Actor
    ): Effect.Effect<PlannedCollections, never, CurrentTenant>
  }
>()("@quittance/operations/InvoiceCollections") {}
