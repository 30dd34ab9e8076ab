/** Which of a product's rules refer a risk to somebody who may accept it. */
import type { Derogation } from "@quittance/domain/Derogation"
import type { Product } from "@quittance/domain/Product"
import type { RatingInput } from "@quittance/domain/ProductRating"
import type { PriceInput } from "./PriceInput.ts"
import type { Values } from "./Values.ts"

export type Referrer = (given: PriceInput, values: Values) => ReadonlyArray<Derogation>

/** In the document's order; what has no value is told by the values themselves. */
export const compileDerogations = ({ derogations = [], rating }: Product): Referrer => {
  const rules = derogations.map(({ id, input, label }) => {
    const tested = rating.inputs.find((one) => one.id === input)
    if (tested === undefined) throw new Error(`${id} was compiled unchecked.`)
    return { derogation: { id, label }, input: tested }
  })
  return (given, values) =>
    rules.flatMap(({ derogation, input }) => (isTrueOf(input, given, values) ? [derogation] : []))
}

const isTrueOf = (input: RatingInput, { assets }: PriceInput, values: Values): boolean =>
  input.of === "ASSET"
    ? assets.some((_, asset) => values.of(input, asset).includes(true))
    : values.of(input, undefined).includes(true)
