/** Random products: valid for publication, though not realistic. */
import type { Product } from "@quittance/domain/products/Product"
import type { Draw } from "@quittance/testing/Draw"
import type { DrawnExpression } from "./RandomExpression.ts"
import { customerRoles, randomInputs } from "./RandomFields.ts"
import {
  randomBrokerageFee,
  randomFees,
  randomRounding,
  randomSpecials,
  randomTaxes
} from "./RandomLevies.ts"
import { randomFactor, randomPeril } from "./RandomTariff.ts"
import { home } from "./Shipped.ts"

const expressions = new WeakMap<Product, ReadonlyMap<string, DrawnExpression>>()

/** What the expressions of a drawn product are worth, by their inputs. */
export const expressionsOf = (product: Product): ReadonlyMap<string, DrawnExpression> =>
  expressions.get(product) ?? new Map()

/** A product without a fault. */
export const randomProduct = (draw: Draw): Product => {
  const { expressions: drawn, fields, known, trunkFields } = randomInputs(draw)
  const rounding = randomRounding(draw)
  const factors = Array.from({ length: draw.int(0, 8) }, (_, index) =>
    randomFactor(draw, draw.pick(known), index)
  )
  const perils = Array.from({ length: draw.int(2, 6) }, (_, index) =>
    randomPeril(draw, known, factors, rounding, index)
  )
  // Both classes have a peril, so that no tax names a class that nothing has, and no tier is empty.
  const classed = perils.map((peril, index) =>
    index < 2 ? { ...peril, optional: index > 0, taxClass: index === 0 ? "ONE" : "TWO" } : peril
  )
  const rules = known.filter(({ type }) => type === "BOOLEAN" && draw.chance(0.3))
  const product: Product = {
    ...home,
    fields,
    trunkFields,
    customerRoles,
    assets: { type: "THING", min: 1, max: 4 },
    rating: { inputs: known.map(({ input }) => input), factors },
    perils: classed,
    tiers: [
      { id: "ALL", name: "All", perils: classed.map(({ id }) => id) },
      {
        id: "FIRST",
        name: "First",
        perils: ["PERIL_0"],
        defaults: classed[0]!.options.map(({ id }) => ({
          perilId: "PERIL_0",
          optionId: id,
          valueId: "HIGH"
        }))
      }
    ],
    defaultTier: "ALL",
    ...(rounding === undefined ? {} : { rounding }),
    specials: randomSpecials(draw, classed, known),
    fees: randomFees(draw, known),
    brokerageFee: randomBrokerageFee(draw),
    taxes: randomTaxes(draw, known),
    derogations: rules.map(({ input }, index) => ({
      id: `RULE_${index}`,
      label: `Rule ${index}`,
      input: input.id
    }))
  }
  expressions.set(product, drawn)
  return product
}
