/** When a quote is outdated: the one rule, for what is shown and for what may be confirmed or signed. */
import type { QuoteId } from "../../values/Ids.ts"
import type { Instant } from "../../values/Instant.ts"
import type { QuoteRecord } from "./QuoteRecord.ts"
import type { StoredBranch } from "./StoredBranch.ts"

/** The branch on which a quote is looked at. */
export interface QuotedBranch {
  readonly branch: Pick<StoredBranch, "id" | "status">
  /** The quote of the branch's state, where it has one. */
  readonly quoteId?: QuoteId | undefined
  readonly now: Instant
}

/** What of a quote says whether it still holds. */
type Dated = Pick<QuoteRecord, "branchId" | "expiresAt" | "id" | "pricedHash">

/** Whether the quote was given for data with this hash; any other data has another price. */
export const isPriceOf = (quote: Dated | undefined, pricedHash: string): boolean =>
  quote?.pricedHash === pricedHash

/** A quote that was accepted holds on: the one that was merged, and all that the branch began with. */
const isAccepted = (quote: Dated, { branch, quoteId }: QuotedBranch): boolean =>
  quote.branchId !== branch.id || (branch.status === "MERGED" && quoteId === quote.id)

/** Whether the quote was not accepted in time. */
export const hasExpired = (quote: Dated, at: QuotedBranch): boolean =>
  !isAccepted(quote, at) && quote.expiresAt <= at.now

/** Whether the data that it priced has changed since, or it has expired. */
export const isOutdated = (quote: Dated, pricedHash: string, at: QuotedBranch): boolean =>
  !isPriceOf(quote, pricedHash) || hasExpired(quote, at)
