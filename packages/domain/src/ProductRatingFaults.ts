/** What is wrong with the perils, tiers, inputs and factors of a product's document. */
import type { Product, ProductFault } from "./Product.ts"
import { duplicates } from "./ProductFieldFaults.ts"
import { type Field, fieldPatternFault } from "./ProductFields.ts"
import type {
  ExpressionInput,
  FieldInput,
  Peril,
  PerilRating,
  RatingInput
} from "./ProductRating.ts"
import {
  type Domain,
  domainOf,
  domainOfExpression,
  fieldOf,
  ofEntity,
  tableFaults
} from "./ProductTableFaults.ts"

type Faults = Generator<ProductFault, void>

export function* ratingFaults(product: Product): Faults {
  yield* nameFaults(product)
  yield* tierFaults(product)
  const domains = yield* inputFaults(product)
  yield* factorFaults(product, domains)
  yield* conditionFaults(product, domains)
  for (const [index, peril] of product.perils.entries()) {
    yield* perilFaults(product, domains, peril, `/perils/${index}`)
  }
}

/** What a quote names, components and rates alike, is told apart by its identifier alone. */
function* nameFaults(product: Product): Faults {
  const { brokerageFee, fees, perils, rating, specials, taxes } = product
  const seen = new Set([brokerageFee.id])
  const lists = { perils, specials, fees, taxes, "rating/factors": rating.factors }
  for (const [list, named] of Object.entries(lists)) {
    for (const [index, { id }] of named.entries()) {
      if (seen.has(id)) {
        yield {
          pointer: `/${list}/${index}/id`,
          message: `Choose another name; ${id} is the name of another peril, fee, tax or factor.`
        }
      }
      seen.add(id)
    }
  }
}

function* tierFaults({ defaultTier, perils, tiers }: Product): Faults {
  yield* duplicates(
    "/tiers",
    "id",
    tiers.map(({ id }) => id)
  )
  if (!tiers.some(({ id }) => id === defaultTier)) {
    yield { pointer: "/defaultTier", message: "Name a tier of /tiers." }
  }
  for (const [index, tier] of tiers.entries()) {
    const at = `/tiers/${index}`
    yield* duplicates(`${at}/perils`, "", tier.perils)
    for (const [position, id] of tier.perils.entries()) {
      if (!perils.some((peril) => peril.id === id)) {
        yield { pointer: `${at}/perils/${position}`, message: `Add ${id} to /perils.` }
      }
    }
    if (perils.every(({ id, optional }) => optional || !tier.perils.includes(id))) {
      yield {
        pointer: `${at}/perils`,
        message: "Add a peril that is not optional; what is sold covers something."
      }
    }
    const { defaults = [] } = tier
    yield* duplicates(
      `${at}/defaults`,
      "optionId",
      defaults.map(({ optionId, perilId }) => `${perilId}/${optionId}`)
    )
    for (const [position, { optionId, perilId, valueId }] of defaults.entries()) {
      const peril = perils.find(({ id }) => id === perilId)
      const option = peril?.options.find(({ id }) => id === optionId)
      const member = peril === undefined ? "perilId" : option === undefined ? "optionId" : "valueId"
      if (option === undefined || !option.values.some(({ id }) => id === valueId)) {
        yield {
          pointer: `${at}/defaults/${position}/${member}`,
          message: "Name a peril, its option and a value of that option."
        }
      }
    }
  }
}

/** The inputs whose field is known, with the values that they can take. */
function* inputFaults(
  product: Product
): Generator<ProductFault, ReadonlyMap<string, readonly [RatingInput, Domain]>> {
  const { inputs } = product.rating
  yield* duplicates(
    "/rating/inputs",
    "id",
    inputs.map(({ id }) => id)
  )
  const domains = new Map<string, readonly [RatingInput, Domain]>()
  for (const [index, input] of inputs.entries()) {
    const at = `/rating/inputs/${index}`
    if (input.as === "EXPRESSION") {
      const domain = domainOfExpression(input)
      domains.set(input.id, [input, domain])
      yield* expressionInputFaults(product, input, at)
      yield* inputBoundFaults(input, domain, at)
      continue
    }
    const field = fieldOf(product, input)
    if (field === undefined) {
      yield { pointer: `${at}/key`, message: `Name a field of /fields/${ofEntity[input.of]}.` }
      continue
    }
    if (fieldPatternFault(field) !== undefined) continue
    const domain = domainOf(field, input)
    domains.set(input.id, [input, domain])
    yield* inputFieldFaults(input, field, at)
    yield* inputRoleFaults(product, input, at)
    yield* fieldRoleFaults(input, field, at)
    yield* inputBoundFaults(input, domain, at)
  }
  return domains
}

/** What it says of itself; whether the expression is one is found out where it is compiled. */
function* expressionInputFaults(product: Product, input: ExpressionInput, at: string): Faults {
  yield* inputRoleFaults(product, input, at)
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
  if (input.as === "AGE" && field.type !== "DATE") {
    yield { pointer: `${at}/as`, message: "An age is taken from a DATE field." }
  }
  const certain = field.requiredFor === "QUOTE" && field.showWhen === undefined
  if (input.default === undefined && !certain) {
    yield {
      pointer: at,
      message: "Add a `default`, or require its field for QUOTE without `showWhen`."
    }
  }
}

function* inputRoleFaults(product: Product, { of, roles }: RatingInput, at: string): Faults {
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
  for (const [index, role] of roles.entries()) {
    if (!product.customerRoles.includes(role)) {
      yield { pointer: `${at}/roles/${index}`, message: `Add ${role} to /customerRoles.` }
    }
  }
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

type Domains = ReadonlyMap<string, readonly [RatingInput, Domain]>

function* factorFaults(product: Product, domains: Domains): Faults {
  const { factors } = product.rating
  for (const [index, factor] of factors.entries()) {
    const at = `/rating/factors/${index}`
    yield* inputNameFaults(product, factor.input, `${at}/input`)
    const [, domain] = domains.get(factor.input) ?? []
    if (domain !== undefined) yield* tableFaults(factor, domain, at)
  }
}

/** What asks whether something is so names an input that is true or false. */
function* conditionFaults(product: Product, domains: Domains): Faults {
  const { derogations = [], specials } = product
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

function* inputNameFaults({ rating }: Product, id: string, pointer: string): Faults {
  if (!rating.inputs.some((input) => input.id === id)) {
    yield { pointer, message: `Add ${id} to /rating/inputs.` }
  }
}

function* perilFaults(product: Product, domains: Domains, peril: Peril, at: string): Faults {
  const { options, rating } = peril
  yield* duplicates(
    `${at}/options`,
    "id",
    options.map(({ id }) => id)
  )
  for (const [index, { default: preset, values }] of options.entries()) {
    const ids = values.map(({ id }) => id)
    yield* duplicates(`${at}/options/${index}/values`, "id", ids)
    if (!ids.includes(preset)) {
      yield { pointer: `${at}/options/${index}/default`, message: "Name a value of the option." }
    }
  }
  if (rating !== undefined) yield* perilRatingFaults(product, domains, rating, at)
}

function* perilRatingFaults(
  product: Product,
  domains: Domains,
  rating: PerilRating,
  at: string
): Faults {
  if (rating.per === "ASSET" && product.assets.min === 0) {
    yield { pointer: `${at}/rating/per`, message: "Require an asset: /assets/min is 0." }
  }
  if (rating.min !== undefined && rating.max !== undefined && rating.min > rating.max) {
    yield { pointer: `${at}/rating/min`, message: "Choose it at most as large as `max`." }
  }
  const { base } = rating
  if (base.kind !== "AMOUNT") {
    const pointer = `${at}/rating/base`
    yield* inputNameFaults(product, base.input, `${pointer}/input`)
    const [input, domain] = domains.get(base.input) ?? []
    if (domain !== undefined) yield* tableFaults(base, domain, pointer)
    yield* unitFaults(rating.per, input, `${pointer}/input`)
  }
  yield* duplicates(`${at}/rating/factors`, "", rating.factors)
  for (const [index, id] of rating.factors.entries()) {
    const pointer = `${at}/rating/factors/${index}`
    const factor = product.rating.factors.find((factor) => factor.id === id)
    if (factor === undefined) yield { pointer, message: `Add ${id} to /rating/factors.` }
    else yield* unitFaults(rating.per, domains.get(factor.input)?.[0], pointer)
  }
}

function* unitFaults(
  per: "POLICY" | "ASSET",
  input: RatingInput | undefined,
  pointer: string
): Faults {
  if (per === "POLICY" && input?.of === "ASSET") {
    yield { pointer, message: "Rate the peril per ASSET; this needs an asset's field." }
  }
}
