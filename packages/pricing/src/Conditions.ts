/** Questions that a product asks of a risk: whether an input is true of it. */
import type { Product } from "@quittance/domain/products/Product"
import type { RatingInput } from "@quittance/domain/products/ProductRating"
import type { PriceInput } from "./PriceInput.ts"
import { SliceCount, type Sliced } from "./Slices.ts"
import type { Values } from "./Values.ts"

export type Condition = (given: PriceInput, values: Values) => Sliced<boolean>

/** Of the policy, of any customer with the role, or of any asset; what has no value is not true. */
export const compileCondition = ({ rating }: Product, id: string): Condition => {
  const input = rating.inputs.find((one) => one.id === id)
  if (input === undefined) throw new Error(`The product has no ${id}; it was compiled unchecked.`)
  return (given, values) => isTrueOf(input, given, values)
}

function* isTrueOf(input: RatingInput, { assets }: PriceInput, values: Values): Sliced<boolean> {
  if (input.of !== "ASSET") return values.of(input, undefined).includes(true)
  const slice = new SliceCount()
  for (const asset of assets.keys()) {
    if (values.of(input, asset).includes(true)) return true
    if (slice.isFull()) yield
  }
  return false
}
