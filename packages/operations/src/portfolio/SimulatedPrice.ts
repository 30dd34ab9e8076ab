/** What one live policy would cost under another version of its product. */
import type { Instant } from "@quittance/domain/values/Instant"
import type { PolicyState } from "@quittance/domain/policies/PolicyState"
import { renewalAfter } from "@quittance/domain/policies/PolicyView"
import type { Product } from "@quittance/domain/products/Product"
import type { Explanation } from "@quittance/domain/products/Quote"
import { compile } from "@quittance/pricing/Engine"
import { explain } from "@quittance/pricing/Explain"
import {
  otherCurrency,
  type Reason,
  reasonsOf,
  referred
} from "@quittance/pricing/portfolio/Unpriced"
import { Result, Schema } from "effect"
import { priceInput } from "../quotes/Pricing.ts"

/**
 * Which term is priced: `RUNNING`, the one that the price in force is of, from the start of its segment
 * on; or `NEXT`, the one after it, so that ages and dated tables move on with the version.
 */
export const SimulatedTerm = Schema.Literals(["RUNNING", "NEXT"])
export type SimulatedTerm = typeof SimulatedTerm.Type

/** When it is simulated, in the tenant's time, and for which term. */
export interface SimulatedAt {
  readonly now: Instant
  readonly term: SimulatedTerm
}

/** A live policy as it is, with what it costs. */
export interface PricedPolicy {
  readonly state: PolicyState
  /** The version that it has. */
  readonly product: Product
  /** What the accepted quote says of a whole term, with fees and taxes. */
  readonly premium: number
  /** From when on that quote is in force. */
  readonly segmentFrom: Instant
}

export interface SimulatedPrice {
  readonly premium: number
  /** Made only where it is asked for: most prices are counted and forgotten. */
  readonly explanation: () => Explanation
}

/** The price of a whole term under the draft, or all that stands in its way. */
export const simulatedPrice = (
  draft: Product,
  { premium, product, segmentFrom, state }: PricedPolicy,
  { now, term }: SimulatedAt
): Result.Result<SimulatedPrice, ReadonlyArray<Reason>> => {
  if (product.currency !== draft.currency) return Result.fail([otherCurrency(product.currency)])
  const from = term === "RUNNING" ? segmentFrom : renewalAfter(product, state, now)
  const result = compile(draft).price(priceInput(draft, state, from))
  if (Result.isFailure(result)) return Result.fail(reasonsOf(draft, result.failure))
  const { derogations, quote } = result.success
  if (derogations.length > 0) return Result.fail(derogations.map(referred))
  const after = quote.totalPremium.amountWithFeesAndTaxes
  if (!Number.isSafeInteger(after - premium)) return Result.fail([tooFarApart])
  return Result.succeed({ premium: after, explanation: () => explain(draft, result.success) })
}

const tooFarApart: Reason = {
  code: "INVALID_AMOUNT",
  at: "/totalPremium",
  message: "The prices are further apart than money reaches."
}
