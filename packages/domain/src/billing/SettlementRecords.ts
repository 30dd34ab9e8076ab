/** Allocations of payments to invoices, and write-offs, as they are stored. */
import type { InvoiceId, PolicyId } from "../values/Ids.ts"
import type { Instant } from "../values/Instant.ts"

/** What a payment gave an invoice, on a policy where a bank has taken one back or small rests are tolerated. */
export interface StoredAllocation {
  readonly policyId: PolicyId
  readonly invoiceId: InvoiceId
  /** In minor units. */
  readonly amount: number
  readonly paidAt: Instant
  readonly returnedAt: Instant | null
}

/** A claim that was written off. */
export interface StoredWriteOff {
  readonly policyId: PolicyId
  readonly invoiceId: string
  readonly at: Instant
  /** When write-offs of this invoice were reversed by hand, in order. */
  readonly reversals: ReadonlyArray<Instant>
}

/** The records of one policy, or of several. */
export interface SettlementRecords {
  /** Those of policies on which a bank has taken a payment back. */
  readonly allocations: ReadonlyArray<StoredAllocation>
  /** In the order in which they were recorded. */
  readonly writeOffs: ReadonlyArray<StoredWriteOff>
}
