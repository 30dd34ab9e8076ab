/** The expressions among a product's inputs: what each may name, compiled, and what is wrong with it. */
import type { FieldType } from "@quittance/domain/products/ProductFields"
import type { Product, ProductFault } from "@quittance/domain/products/Product"
import type { ExpressionInput, RatingInput } from "@quittance/domain/products/ProductRating"
import { fieldOf } from "@quittance/domain/products/ProductTableFaults"
import { Result } from "effect"
import { compileExpression, type Expression, type ScalarType } from "./Expression.ts"

type Rated = Pick<Product, "fields" | "rating">

/** How many assets are on the policy. */
export const assetCount = "assetCount"

const maxExpressions = 100

/** The expressions of a product that has no faults, by the identifier of their input. */
export const compileExpressions = (product: Rated): ReadonlyMap<string, Expression> =>
  new Map(
    expressionInputs(product).map(([input]) => [
      input.id,
      Result.getOrThrow(compiled(product, input))
    ])
  )

/** What is wrong with the expressions of a product whose parts are otherwise sound. */
export function* expressionFaults(product: Rated): Generator<ProductFault, void> {
  for (const [index, { id }] of product.rating.inputs.entries()) {
    if (id === assetCount) {
      const message = `Choose another name; ${assetCount} is the number of assets.`
      yield { pointer: `/rating/inputs/${index}/id`, message }
    }
  }
  for (const [count, [input, index]] of expressionInputs(product).entries()) {
    if (count >= maxExpressions) {
      const message = `Keep at most ${maxExpressions} expressions; what a quote may cost is bounded.`
      yield { pointer: `/rating/inputs/${index}`, message }
    }
    const result = compiled(product, input)
    if (Result.isFailure(result)) {
      yield { pointer: `/rating/inputs/${index}/expression`, message: result.failure }
    }
  }
}

const expressionInputs = ({ rating }: Rated) =>
  rating.inputs.flatMap((input, index) =>
    input.as === "EXPRESSION" ? [[input, index] as const] : []
  )

const compiled = (product: Rated, input: ExpressionInput) =>
  compileExpression(input.expression, variablesOf(product, input), input.type)

/** The inputs before it in the list that have one value where it has one, so none names itself. */
const variablesOf = (product: Rated, input: ExpressionInput): ReadonlyMap<string, ScalarType> => {
  const { inputs } = product.rating
  const variables = new Map<string, ScalarType>([[assetCount, "INTEGER"]])
  for (const other of inputs.slice(0, inputs.indexOf(input))) {
    const type = typeOf(product, other)
    if (type !== undefined && isIdentifier(other.id) && isSeenBy(other, input)) {
      variables.set(other.id, type)
    }
  }
  return variables
}

const isIdentifier = (id: string) => /^[A-Za-z]\w*$/u.test(id)

/** Several customers may hold a role: their values are seen only beside each other. */
const isSeenBy = (other: RatingInput, { of, roles = [] }: ExpressionInput): boolean =>
  other.of === "POLICY" ||
  (other.of === of && (of === "ASSET" || roles.join() === (other.roles ?? []).join()))

const typeOf = (product: Rated, input: RatingInput): ScalarType | undefined => {
  if (input.as === "EXPRESSION") return input.type
  if (input.as !== "VALUE") return "INTEGER"
  const field = fieldOf(product, input)
  return field === undefined ? undefined : scalars[field.type]
}

/** What the value of a field is to an expression. */
export const scalars: Readonly<Record<FieldType, ScalarType>> = {
  STRING: "STRING",
  ENUM: "STRING",
  DATE: "STRING",
  INTEGER: "INTEGER",
  MONEY: "INTEGER",
  NUMBER: "NUMBER",
  BOOLEAN: "BOOLEAN"
}
