/** Which of a product's rules refer a risk to an underwriter. */
import type { Derogation } from "@quittance/domain/products/Derogation"
import type { Product } from "@quittance/domain/products/Product"
import { compileCondition } from "./Conditions.ts"
import type { PriceInput } from "./PriceInput.ts"
import type { Sliced } from "./Slices.ts"
import type { Values } from "./Values.ts"

export type Referrer = (given: PriceInput, values: Values) => Sliced<ReadonlyArray<Derogation>>

/** In the document's order; what has no value is told by the values themselves. */
export const compileDerogations = (product: Product): Referrer => {
  const rules = (product.derogations ?? []).map(({ id, input, label }) => ({
    derogation: { id, label },
    applies: compileCondition(product, input)
  }))
  return function* (given, values) {
    const referred: Array<Derogation> = []
    for (const { applies, derogation } of rules) {
      if (yield* applies(given, values)) referred.push(derogation)
    }
    return referred
  }
}
