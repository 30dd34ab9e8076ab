/** Which fees and taxes are levied where a risk lies. */
import type { Product } from "@quittance/domain/products/Product"
import type { Jurisdiction } from "@quittance/domain/products/ProductCharges"
import type { RatingInput } from "@quittance/domain/products/ProductRating"
import type { UsedInput } from "./Rating.ts"
import type { Values } from "./Values.ts"

/** Of those that are levied only somewhere: by which input they are, or that they are not. */
export type Jurisdictions = ReadonlyMap<string, UsedInput | undefined>

export const isLevied = (places: Jurisdictions, id: string): boolean =>
  !places.has(id) || places.get(id) !== undefined

/** What a fee or a tax was found by, beside its day. */
export const placeOf = (places: Jurisdictions, id: string): ReadonlyArray<UsedInput> => {
  const place = places.get(id)
  return place === undefined ? [] : [place]
}

/** No fee and no tax asks where the risk lies. */
export const everywhere: Jurisdictions = new Map()

export const compileJurisdictions = ({
  fees,
  rating,
  taxes
}: Product): ((values: Values) => Jurisdictions) => {
  const conditions = [...fees, ...taxes].flatMap(({ id, where }) =>
    where === undefined ? [] : [{ id, where, input: inputOf(rating.inputs, where) }]
  )
  if (conditions.length === 0) return () => everywhere
  return (values) =>
    new Map(
      conditions.map(({ id, input, where }) => {
        const value = values.of(input, undefined).find((value) => where.in.includes(value))
        return [id, value === undefined ? undefined : { id: input.id, value }]
      })
    )
}

const inputOf = (inputs: ReadonlyArray<RatingInput>, where: Jurisdiction): RatingInput => {
  const input = inputs.find(({ id }) => id === where.input)
  if (input === undefined) {
    throw new Error(`The product has no ${where.input}; it was compiled unchecked.`)
  }
  return input
}
