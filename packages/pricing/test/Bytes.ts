/** Prices as the bytes that they leave as, and the same questions in another order. */
import type { Product } from "@quittance/domain/products/Product"
import { Result } from "effect"
import { compile } from "../src/Engine.ts"
import { explain } from "../src/Explain.ts"
import type { PriceInput } from "../src/PriceInput.ts"
import type { Draw } from "@quittance/testing/Draw"

/** All that is said or kept of a price in every tier, or of why there is none. */
export const bytesOf = (product: Product, input: PriceInput): string =>
  JSON.stringify(
    compile(product)
      .tiers(input)
      .map(({ result }) => {
        if (Result.isFailure(result)) return result.failure
        const { derogations, premiumItems, quote, selectedTier } = result.success
        return {
          quote,
          selectedTier,
          premiumItems,
          derogations,
          why: explain(product, result.success)
        }
      })
  )

/** The same value, the names of its objects in another order. */
export const shuffled = <A>(draw: Draw, value: A): A => {
  if (Array.isArray(value)) return value.map((entry: unknown) => shuffled(draw, entry)) as A
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value).map(
    ([name, member]: [string, unknown]) => [draw.int(0, 1e9), name, shuffled(draw, member)] as const
  )
  entries.sort(([a], [b]) => a - b)
  // Names and members are those that it had.
  return Object.fromEntries(entries.map(([, name, member]) => [name, member])) as A
}
