/** Whether a product's document may be published: what the domain says of it, and its expressions. */
import { InvalidProduct, type Product, type ProductFault } from "@quittance/domain/products/Product"
import * as ProductFaults from "@quittance/domain/products/ProductFaults"
import { Result } from "effect"
import { claimExpressionFaults } from "./ClaimExpressions.ts"
import { expressionFaults } from "./Expressions.ts"

/** The product that a document describes, or all of its faults, each at its JSON pointer. */
export const read = (definition: unknown): Result.Result<Product, InvalidProduct> => {
  const { faults: found, parts } = ProductFaults.examine(definition)
  const { claims, fields, rating } = parts
  const all = [
    ...found,
    ...(fields === undefined || rating === undefined ? [] : expressionFaults({ fields, rating })),
    ...(fields === undefined || claims === undefined
      ? []
      : claimExpressionFaults({ claims, fields }))
  ]
  return all.length === 0
    ? // Without a fault all of its members are there.
      Result.succeed(parts as Product)
    : Result.fail(new InvalidProduct({ faults: all }))
}

/** What the parts of a well-formed document say against each other; empty when it can be sold. */
export const faults = (product: Product): ReadonlyArray<ProductFault> => [
  ...ProductFaults.faults(product),
  ...expressionFaults(product),
  ...claimExpressionFaults(product)
]
