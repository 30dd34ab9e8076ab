/** A product's document on disk, and what it costs by its own examples. */
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import type { InvalidProduct, Product, Tier } from "@quittance/domain/products/Product"
import { exampleOf } from "@quittance/domain/products/ProductExamples"
import { read } from "@quittance/pricing/Publishable"
import { compile } from "@quittance/pricing/Engine"
import { Effect, FileSystem, Result, type Schema } from "effect"
import { problem } from "../Problem.ts"

export interface ProductFile {
  readonly name: string
  readonly definition: Schema.Json
  readonly product: Result.Result<Product, InvalidProduct>
}

/** Reads a document; only a file that isn't there, or is no JSON, is a failure. */
export const load = Effect.fn("ProductFile.load")(function* (name: string) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* fs
    .readFileString(name)
    .pipe(Effect.mapError((cause) => problem(`${name} can't be read; check its name.`, cause)))
  const definition = yield* Effect.try({
    // What `JSON.parse` answers is JSON.
    try: () => JSON.parse(text) as Schema.Json,
    catch: (cause) => problem(`${name} is no JSON: ${reason(cause)}.`, cause)
  })
  const file: ProductFile = { name, definition, product: read(definition) }
  return file
})

const reason = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause))

interface ExamplePrice {
  readonly tier: Tier
  readonly total: number | undefined
}

/**
 * The first year's whole premium of each tier, in minor units, for the document's own examples. What
 * another program prices has none here.
 */
export const examplePrices = (
  product: Product,
  startDate: LocalDate
): ReadonlyArray<ExamplePrice> =>
  product.quoteProvider === undefined
    ? compile(product)
        .tiers({ ...exampleOf(product), startDate })
        .map(({ result, tier }) => ({
          tier,
          total: Result.isSuccess(result)
            ? result.success.quote.totalPremium.amountWithFeesAndTaxes
            : undefined
        }))
    : product.tiers.map((tier) => ({ tier, total: undefined }))
