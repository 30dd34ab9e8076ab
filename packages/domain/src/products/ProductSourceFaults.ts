/** Whether a product's document has a tariff where the built-in engine prices, and none elsewhere. */
import type { Product, ProductFault } from "./Product.ts"

type Faults = Generator<ProductFault, void>

export function* sourceFaults(
  product: Pick<Product, "fees" | "perils" | "quoteProvider" | "rating" | "specials" | "taxes">
): Faults {
  const { fees, perils, specials, taxes } = product
  const tables = [
    ...perils.map(({ rating }, index) => [`/perils/${index}/rating`, rating] as const),
    ...Object.entries({ specials, fees, taxes }).flatMap(([list, levies]) =>
      levies.map(({ charges }, index) => [`/${list}/${index}/charges`, charges] as const)
    )
  ]
  if (product.quoteProvider === undefined) {
    for (const [pointer, table] of tables) {
      if (table === undefined)
        yield { pointer, message: "Say what it costs, or name a /quoteProvider." }
    }
    return
  }
  for (const [pointer, table] of [...tables, ...pricesBeside(product)]) {
    // Two tariffs for one product: it would be undefined which one a customer is quoted.
    if (table !== undefined) yield { pointer, message: "Leave it out; the quote provider prices." }
  }
}

function* pricesBeside({ perils, rating }: Pick<Product, "perils" | "rating">) {
  yield* rating.factors.map((factor, index) => [`/rating/factors/${index}`, factor] as const)
  for (const [index, { options }] of perils.entries()) {
    for (const [position, { values }] of options.entries()) {
      const at = `/perils/${index}/options/${position}/values`
      for (const [row, { add, multiply }] of values.entries()) {
        yield [`${at}/${row}/multiply`, multiply] as const
        yield [`${at}/${row}/add`, add] as const
      }
    }
  }
}
