/** What a simulation knows of the policies that it has priced so far. */
import type { Product } from "@quittance/domain/products/Product"
import type { Explanation } from "@quittance/domain/products/Quote"
import { TopN } from "@quittance/pricing/portfolio/TopN"
import { PriceChanges } from "@quittance/pricing/portfolio/PriceChanges"
import { Unpriced } from "@quittance/pricing/portfolio/Unpriced"
import { Result } from "effect"
import { type PricedPolicy, simulatedPrice, type SimulatedAt } from "./SimulatedPrice.ts"
import type { PolicyId, QuoteId } from "@quittance/domain/values/Ids"

/** How many changes are kept with their reasons. */
const largestCount = 10

/** A policy whose price moves by much. */
export interface SimulatedChange {
  readonly id: PolicyId
  readonly productVersion: string
  readonly quoteId: QuoteId
  readonly before: number
  readonly after: number
  readonly difference: number
  readonly explanation: Explanation
}

export interface CountedPolicy extends PricedPolicy {
  readonly id: PolicyId
  readonly productVersion: string
}

export class SimulationTally {
  readonly changes = new PriceChanges()
  readonly unpriced = new Unpriced()
  readonly largest = new TopN<SimulatedChange>(largestCount)
  readonly versions = new Map<string, number>()
  readonly #draft: Product
  readonly #at: SimulatedAt

  constructor(draft: Product, at: SimulatedAt) {
    this.#draft = draft
    this.#at = at
  }

  get count(): number {
    return this.changes.count + this.unpriced.count
  }

  add(policy: CountedPolicy): void {
    const { id, premium: before, productVersion, state } = policy
    this.versions.set(productVersion, (this.versions.get(productVersion) ?? 0) + 1)
    const result = simulatedPrice(this.#draft, policy, this.#at)
    if (Result.isFailure(result)) {
      this.unpriced.add(id, result.failure)
      return
    }
    const { explanation, premium: after } = result.success
    this.changes.add(before, after)
    const difference = after - before
    this.largest.offer({ id, difference }, () => ({
      id,
      productVersion,
      quoteId: state.quoteId!,
      before,
      after,
      difference,
      explanation: explanation()
    }))
  }
}
