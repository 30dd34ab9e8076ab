/** The expressions of a product about claims: what each may name, and what is wrong with it. */
import type { Product, ProductFault } from "@quittance/domain/products/Product"
import {
  claimNames,
  type LossType,
  type ProductClaims
} from "@quittance/domain/products/claims/ProductClaims"
import type { Question } from "@quittance/domain/products/ProductFields"
import { Result } from "effect"
import { compileExpression, type Expression, type ScalarType } from "./Expression.ts"
import { scalars } from "./Expressions.ts"

interface Parts extends Pick<Product, "fields"> {
  readonly claims?: ProductClaims | undefined
}

const ofEveryClaim: Readonly<Record<(typeof claimNames)[number], ScalarType>> = {
  injuries: "BOOLEAN",
  lossType: "STRING"
}

/** An expression of a product's claims that is true or false of a claim. */
export const compileClaimExpression = (
  { claims, fields }: Parts,
  text: string
): Result.Result<Expression, string> =>
  compileExpression(
    text,
    variablesOf({ claims, fields }),
    "BOOLEAN",
    "a fact of a loss type, or a field of the policy or of its assets"
  )

/** The names of an expression that only the facts of loss types give a value. */
export const factsOf = ({ fields }: Parts, { variables }: Expression): ReadonlyArray<string> => {
  const others = new Set([
    ...claimNames,
    ...[...fields.policy, ...fields.asset].map(({ key }) => key)
  ])
  return variables.filter((name) => !others.has(name))
}

/** Whether a loss type is asked for every fact that an expression reads: it says nothing of other losses. */
export const isAskedFor = ({ facts }: LossType, names: ReadonlyArray<string>): boolean =>
  names.every((name) => facts.some(({ key }) => key === name))

/** A fact of the claim stands before a field of the asset, and that before one of the policy. */
const variablesOf = ({ claims, fields }: Parts): ReadonlyMap<string, ScalarType> => {
  const typed = (questions: ReadonlyArray<Question>) =>
    questions.map(({ key, type }) => [key, scalars[type]] as const)
  return new Map<string, ScalarType>([
    ...typed(fields.policy),
    ...typed(fields.asset),
    ...typed((claims?.lossTypes ?? []).flatMap(({ facts }) => facts)),
    ...Object.entries(ofEveryClaim)
  ])
}

/** What is wrong with the expressions about claims of a product whose parts are otherwise sound. */
export function* claimExpressionFaults(parts: Parts): Generator<ProductFault, void> {
  const { claims } = parts
  if (claims === undefined) return
  yield* typeFaults(claims, parts.fields)
  yield* exclusionFaults(parts, claims)
  yield* deadlineFaults(parts, claims)
}

/** An exclusion says something of a loss type: one that is asked for its facts, and is of its perils. */
function* exclusionFaults(
  parts: Parts,
  { exclusions, lossTypes }: ProductClaims
): Generator<ProductFault, void> {
  for (const [index, { expression, perils }] of exclusions.entries()) {
    const pointer = `/claims/exclusions/${index}/expression`
    const compiled = compileClaimExpression(parts, expression)
    if (Result.isFailure(compiled)) {
      yield { pointer, message: compiled.failure }
      continue
    }
    const asked = lossTypes.filter((type) => isAskedFor(type, factsOf(parts, compiled.success)))
    if (asked.length === 0) {
      yield { pointer, message: "Name facts of one loss type; none is asked for all of these." }
    } else if (
      perils !== undefined &&
      asked.every((type) => !perils.some((id) => type.perils.includes(id)))
    ) {
      const message =
        "Name facts of a loss type that has one of the exclusion's perils; none of those is asked for all of these."
      yield { pointer, message }
    }
  }
}

/** Each loss type that a deadline is for is asked for what its condition reads. */
function* deadlineFaults(
  parts: Parts,
  { deadlines, lossTypes: all }: ProductClaims
): Generator<ProductFault, void> {
  for (const [index, { lossTypes, when }] of deadlines.entries()) {
    if (when === undefined) continue
    const pointer = `/claims/deadlines/${index}/when`
    const compiled = compileClaimExpression(parts, when)
    if (Result.isFailure(compiled)) {
      yield { pointer, message: compiled.failure }
      continue
    }
    const facts = factsOf(parts, compiled.success)
    const silent = all.filter(
      (type) => (lossTypes?.includes(type.id) ?? true) && !isAskedFor(type, facts)
    )
    if (silent.length > 0) {
      const ids = silent.map(({ id }) => id).join(", ")
      const message = `Ask for ${facts.join(", ")} in each loss type of the deadline; not in ${ids} so far.`
      yield { pointer, message }
    }
  }
}

/** A name has one type wherever an expression reads it. */
function* typeFaults(
  { lossTypes }: ProductClaims,
  { asset, policy }: Product["fields"]
): Generator<ProductFault, void> {
  const types = new Map([...policy, ...asset].map(({ key, type }) => [key, scalars[type]]))
  for (const [index, { facts }] of lossTypes.entries()) {
    for (const [place, { key, type }] of facts.entries()) {
      const other = types.get(key) ?? scalars[type]
      if (other !== scalars[type]) {
        const message = `Write a type that makes ${other}; ${key} is that elsewhere.`
        yield { pointer: `/claims/lossTypes/${index}/facts/${place}/type`, message }
      }
      types.set(key, other)
    }
  }
}
