/** What is wrong with the names, tiers, factors and perils of a product's document. */
import type { Product, ProductFault } from "./Product.ts"
import { duplicates, strangers } from "./ProductFieldFaults.ts"
import { type Domains, domainsOf, inputNameFaults } from "./ProductInputFaults.ts"
import type { Peril, PerilRating, RatingInput } from "./ProductRating.ts"
import { tableFaults } from "./ProductTableFaults.ts"
import { unknownName } from "../values/ClosestName.ts"

type Faults = Generator<ProductFault, void>

/** What a quote names, components and rates alike, is told apart by its identifier alone. */
export function* nameFaults(
  product: Pick<Product, "brokerageFee" | "fees" | "perils" | "rating" | "specials" | "taxes">
): Faults {
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

export function* tierFaults({
  defaultTier,
  perils,
  tiers
}: Pick<Product, "defaultTier" | "perils" | "tiers">): Faults {
  yield* duplicates(
    "/tiers",
    "id",
    tiers.map(({ id }) => id)
  )
  const named = tiers.map(({ id }) => id)
  if (!named.includes(defaultTier)) {
    yield { pointer: "/defaultTier", message: unknownName(defaultTier, named, "/tiers") }
  }
  for (const [index, tier] of tiers.entries()) {
    const at = `/tiers/${index}`
    yield* duplicates(`${at}/perils`, "", tier.perils)
    const known = perils.map(({ id }) => id)
    yield* strangers(`${at}/perils`, tier.perils, known, "/perils")
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

type Tariff = Pick<Product, "assets" | "fields" | "perils" | "rating">

/** The factors and perils, given what their inputs can be. */
export function* tariffFaults(product: Tariff): Faults {
  const domains = domainsOf(product)
  yield* factorFaults(product, domains)
  for (const [index, peril] of product.perils.entries()) {
    yield* perilFaults(product, domains, peril, `/perils/${index}`)
  }
}

function* factorFaults(product: Tariff, domains: Domains): Faults {
  const { factors } = product.rating
  for (const [index, factor] of factors.entries()) {
    const at = `/rating/factors/${index}`
    yield* inputNameFaults(product, factor.input, `${at}/input`)
    const [, domain] = domains.get(factor.input) ?? []
    if (domain !== undefined) yield* tableFaults(factor, domain, at)
  }
}

function* perilFaults(product: Tariff, domains: Domains, peril: Peril, at: string): Faults {
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
  product: Tariff,
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
  const { factors } = product.rating
  const known = factors.map(({ id }) => id)
  yield* strangers(`${at}/rating/factors`, rating.factors, known, "/rating/factors")
  for (const [index, name] of rating.factors.entries()) {
    const factor = factors.find(({ id }) => id === name)
    const input = factor === undefined ? undefined : domains.get(factor.input)?.[0]
    yield* unitFaults(rating.per, input, `${at}/rating/factors/${index}`)
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
