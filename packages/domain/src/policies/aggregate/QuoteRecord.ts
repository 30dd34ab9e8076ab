/** A quote as it is stored. */
import type { StoredQuote } from "../../products/Quote.ts"
import type { BranchId, PolicyId, QuoteId } from "../../values/Ids.ts"
import type { Instant } from "../../values/Instant.ts"

/** A quote as it was given: what it was for, how long it holds, and the priced state it fits. */
export interface QuoteRecord {
  readonly id: QuoteId
  readonly policyId: PolicyId
  readonly branchId: BranchId
  readonly segmentFrom: Instant
  readonly pricedHash: string
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly content: StoredQuote
}
