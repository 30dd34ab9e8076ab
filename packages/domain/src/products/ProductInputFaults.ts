/** What is wrong with the inputs of a product's rating, and with what asks whether one is true. */
import type { Product, ProductFault } from "./Product.ts"
import { duplicates, strangers } from "./ProductFieldFaults.ts"
import { type Field, fieldPatternFault } from "./ProductFields.ts"
import type { ExpressionInput, FieldInput, RatingInput } from "./ProductRating.ts"
import { unknownName } from "../values/ClosestName.ts"
import {
  type Domain,
  domainOf,
  domainOfExpression,
  fieldOf,
  ofEntity
} from "./ProductTableFaults.ts"

type Faults = Generator<ProductFault, void>

type Inputs = Pick<Product, "customerRoles" | "fields" | "rating">

/** The inputs whose field is known, with the values that they can take, by their identifiers. */
export type Domains = ReadonlyMap<string, readonly [RatingInput, Domain]>

export const domainsOf = (product: Pick<Product, "fields" | "rating">): Domains => {
  const domains = new Map<string, readonly [RatingInput, Domain]>()
  for (const input of product.rating.inputs) {
    const domain = domainOfInput(product, input)
    if (domain !== undefined) domains.set(input.id, [input, domain])
  }
  return domains
}

const domainOfInput = (product: Pick<Product, "fields">, input: RatingInput) => {
  if (input.as === "EXPRESSION") return domainOfExpression(input)
  const field = fieldOf(product, input)
  return field === undefined || fieldPatternFault(field) !== undefined
    ? undefined
    : domainOf(field, input)
}

export function* inputFaults(product: Inputs): Faults {
  const { inputs } = product.rating
  yield* duplicates(
    "/rating/inputs",
    "id",
    inputs.map(({ id }) => id)
  )
  for (const [index, input] of inputs.entries()) {
    const at = `/rating/inputs/${index}`
    yield* input.as === "EXPRESSION"
      ? expressionInputFaults(input, at)
      : fieldInputFaults(product, input, at)
    const domain = domainOfInput(product, input)
    if (domain === undefined) continue
    yield* inputRoleFaults(product, input, at)
    yield* inputBoundFaults(input, domain, at)
  }
}

function* fieldInputFaults(product: Inputs, input: FieldInput, at: string): Faults {
  const field = fieldOf(product, input)
  if (field === undefined) {
    const entity = ofEntity[input.of]
    const known = product.fields[entity].map(({ key }) => key)
    yield { pointer: `${at}/key`, message: unknownName(input.key, known, `/fields/${entity}`) }
    return
  }
  if (fieldPatternFault(field) !== undefined) return
  yield* inputFieldFaults(input, field, at)
  yield* fieldRoleFaults(input, field, at)
}

/** What it says of itself; whether the expression is one is found out where it is compiled. */
function* expressionInputFaults(input: ExpressionInput, at: string): Faults {
  if (input.values === undefined) return
  if (input.type !== "STRING") {
    yield { pointer: `${at}/values`, message: "Leave it out; only a STRING has listed values." }
  }
  yield* duplicates(`${at}/values`, "", input.values)
}

function* inputFieldFaults(input: FieldInput, field: Field, at: string): Faults {
  if (!field.priced) {
    yield { pointer: `${at}/key`, message: "Set `priced` on its field; the price depends on it." }
  }
  if (input.as !== "VALUE" && field.type !== "DATE") {
    yield { pointer: `${at}/as`, message: `Name a DATE field; ${input.as} is taken from a day.` }
  }
  const certain = field.requiredFor === "QUOTE" && field.showWhen === undefined
  if (input.default === undefined && !certain) {
    yield {
      pointer: at,
      message: "Add a `default`, or require its field for QUOTE without `showWhen`."
    }
  }
}

function* inputRoleFaults(product: Inputs, { of, roles }: RatingInput, at: string): Faults {
  if (of !== "CUSTOMER") {
    if (roles !== undefined) {
      yield { pointer: `${at}/roles`, message: "Leave it out; only a customer has a role." }
    }
    return
  }
  if (roles === undefined) {
    yield { pointer: at, message: "Add `roles`: whose value counts." }
    return
  }
  yield* strangers(`${at}/roles`, roles, product.customerRoles, "/customerRoles")
}

function* fieldRoleFaults({ of, roles = [] }: RatingInput, field: Field, at: string): Faults {
  if (of !== "CUSTOMER" || field.roles === undefined) return
  for (const [index, role] of roles.entries()) {
    if (!field.roles.includes(role)) {
      const message = `Add ${role} to the roles of the field ${field.key}.`
      yield { pointer: `${at}/roles/${index}`, message }
    }
  }
}

function* inputBoundFaults(input: RatingInput, domain: Domain, at: string): Faults {
  const numeric = domain.kind === "INTEGER" || domain.kind === "NUMBER"
  for (const name of ["min", "max"] as const) {
    const bound = input[name]
    if (bound === undefined) continue
    if (!numeric) yield { pointer: `${at}/${name}`, message: "Leave it out; it is not a number." }
    else if (domain.kind === "INTEGER" && !Number.isInteger(bound)) {
      yield { pointer: `${at}/${name}`, message: "Give an integer." }
    }
  }
  if (numeric && domain.low > domain.high) {
    yield { pointer: `${at}/min`, message: "Choose bounds that leave a value." }
  }
  if (input.default === undefined) return
  const outside =
    numeric && (Number(input.default) < domain.low || Number(input.default) > domain.high)
  const fault = domain.valueFault(input.default) ?? (outside ? "Choose it within the bounds." : "")
  if (fault !== "") yield { pointer: `${at}/default`, message: fault }
}

/** What asks whether something is so names an input that is true or false. */
export function* conditionFaults(
  product: Pick<Product, "derogations" | "fields" | "rating" | "specials">
): Faults {
  const { derogations = [], specials } = product
  const domains = domainsOf(product)
  yield* duplicates(
    "/derogations",
    "id",
    derogations.map(({ id }) => id)
  )
  const conditions = [
    ...derogations.map(({ input }, index) => [input, `/derogations/${index}/input`] as const),
    ...specials.map(({ when }, index) => [when, `/specials/${index}/when`] as const)
  ]
  for (const [input, pointer] of conditions) {
    if (input === undefined) continue
    yield* inputNameFaults(product, input, pointer)
    const [, domain] = domains.get(input) ?? []
    if (domain !== undefined && domain.values[0] !== true) {
      yield { pointer, message: "Name an input that is true or false." }
    }
  }
}

export function* inputNameFaults(
  { rating }: Pick<Product, "rating">,
  id: string,
  pointer: string
): Faults {
  const known = rating.inputs.map((input) => input.id)
  if (!known.includes(id)) yield { pointer, message: unknownName(id, known, "/rating/inputs") }
}
