/** The values of a product's inputs for one policy, each found once. */
import type { CustomFieldValue } from "@quittance/domain/values/CustomField"
import type { Product } from "@quittance/domain/products/Product"
import type { ExpressionInput, RatingInput } from "@quittance/domain/products/ProductRating"
import type { Expression } from "./Expression.ts"
import { compileExpressions } from "./Expressions.ts"
import { assetPath, assetValues, boundFault, type Issues, policyValues } from "./Inputs.ts"
import type { PriceInput } from "./PriceInput.ts"

type Found = ReadonlyArray<CustomFieldValue>

const none: Found = []

/** A product's inputs, and the expressions among them. */
export interface CompiledInputs {
  readonly inputs: ReadonlyMap<string, RatingInput>
  readonly expressions: ReadonlyMap<string, Expression>
}

export const compileInputs = (product: Product): CompiledInputs => ({
  inputs: new Map(product.rating.inputs.map((input) => [input.id, input])),
  expressions: compileExpressions(product)
})

export class Values {
  readonly #compiled: CompiledInputs
  readonly #given: PriceInput
  readonly #issues: Issues
  readonly #policy = new Map<RatingInput, Found>()
  readonly #assets: Array<Map<RatingInput, Found>> = []

  constructor(compiled: CompiledInputs, given: PriceInput, issues: Issues) {
    this.#compiled = compiled
    this.#given = given
    this.#issues = issues
  }

  /** Of a customer's input one value for each who holds the role; none where one has been told to be missing. */
  of(input: RatingInput, asset: number | undefined): Found {
    const ofAsset = input.of === "ASSET" ? asset : undefined
    const known = ofAsset === undefined ? this.#policy : (this.#assets[ofAsset] ??= new Map())
    const present = known.get(input)
    if (present !== undefined) return present
    const found =
      input.as === "EXPRESSION"
        ? this.#evaluated(input, ofAsset)
        : ofAsset === undefined
          ? policyValues(input, this.#given, this.#issues)
          : assetValues(input, this.#given, ofAsset, this.#issues)
    known.set(input, found)
    return found
  }

  #evaluated(input: ExpressionInput, asset: number | undefined): Found {
    const { expressions, inputs } = this.#compiled
    const expression = expressions.get(input.id)
    if (expression === undefined) throw new Error(`${input.id} was compiled unchecked.`)
    const variables = new Map<string, Found>()
    let rows = 1
    for (const name of expression.variables) {
      const other = inputs.get(name)
      const values = other === undefined ? [this.#given.assets.length] : this.of(other, asset)
      if (values.length === 0) return none
      rows = Math.max(rows, values.length)
      variables.set(name, values)
    }
    const results: Array<CustomFieldValue> = []
    for (let row = 0; row < rows; row++) {
      const value = expression.evaluate((name) => {
        const values = variables.get(name) ?? none
        // What is of the policy has one value beside however many of the customers.
        return values[values.length === 1 ? 0 : row] ?? 0
      })
      const checked = this.#checked(input, value, asset)
      if (checked === undefined) return none
      results.push(checked)
    }
    return results
  }

  /** The value, the default of one that is not there, or nothing once it is told why. */
  #checked(
    input: ExpressionInput,
    evaluated: CustomFieldValue | undefined,
    asset: number | undefined
  ): CustomFieldValue | undefined {
    const value = evaluated ?? input.default
    const fault = value === undefined ? noValue(input) : faultOf(input, value)
    if (fault === undefined) return value
    const one = asset === undefined ? undefined : this.#given.assets[asset]
    const at = one === undefined || asset === undefined ? "" : assetPath(one, asset)
    this.#issues.add({ path: `${at}/inputs/${input.id}`, message: fault })
    return undefined
  }
}

const noValue = ({ label }: ExpressionInput) =>
  `Not insurable: ${label} can't be computed from what was given.`

const faultOf = (input: ExpressionInput, value: CustomFieldValue): string | undefined =>
  input.values !== undefined && !input.values.includes(String(value))
    ? `Not insurable: ${input.label} is ${String(value)}.`
    : boundFault(input, value)
