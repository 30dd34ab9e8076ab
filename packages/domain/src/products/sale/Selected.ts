/** What is covered: a tier, the perils left out of it or added to it, and the value of each option. */
import type { Product, Tier } from "../Product.ts"
import type { OptionValue, Peril, PerilOption } from "../ProductRating.ts"
import type { PerilChoice } from "../Quote.ts"
import { InvalidReference } from "../../requests/RequestErrors.ts"

export interface ChosenOption {
  readonly option: PerilOption
  readonly value: OptionValue
}

export interface CoveredPeril {
  readonly peril: Peril
  readonly options: ReadonlyArray<ChosenOption>
}

export interface Selected {
  readonly tier: Tier
  /** In the product's order. */
  readonly covered: ReadonlyArray<CoveredPeril>
  readonly failures: ReadonlyArray<InvalidReference>
}

/** Answers a tier and choices with what is covered; `undefined` when the product has no such tier. */
export const compileSelection = (product: Pick<Product, "defaultTier" | "perils" | "tiers">) => {
  const tiers = new Map(product.tiers.map((tier) => [tier.id, compileTier(product, tier)]))
  return (
    tierId: string = product.defaultTier,
    choices: ReadonlyArray<PerilChoice> = []
  ): Selected | InvalidReference =>
    tiers.get(tierId)?.(choices) ?? new InvalidReference({ field: "tierId", value: tierId })
}

const compileTier = (product: Pick<Product, "perils">, tier: Tier) => {
  const presets = new Map(
    product.perils.map((peril) => [
      peril.id,
      peril.options.map((option) => ({ option, value: presetOf(tier, peril, option) }))
    ])
  )
  const standard: Selected = {
    tier,
    failures: [],
    covered: product.perils
      .filter(({ id }) => tier.perils.includes(id))
      .map((peril) => ({ peril, options: presets.get(peril.id) ?? [] }))
  }
  return (choices: ReadonlyArray<PerilChoice>): Selected => {
    if (choices.length === 0) return standard
    const failures: Array<InvalidReference> = []
    const chosen = new Map<string, PerilChoice>()
    for (const [index, choice] of choices.entries()) {
      const failure = choiceFailure(product, tier, choice, `perils/${index}`, chosen)
      if (failure === undefined) chosen.set(choice.id, choice)
      else failures.push(failure)
    }
    return {
      tier,
      failures,
      covered: product.perils
        .filter(({ id }) => chosen.get(id)?.included ?? tier.perils.includes(id))
        .map((peril) => ({
          peril,
          options: (presets.get(peril.id) ?? []).map((preset) =>
            chosenValue(preset, chosen.get(peril.id))
          )
        }))
    }
  }
}

const presetOf = (tier: Tier, peril: Peril, option: PerilOption): OptionValue => {
  const own = tier.defaults?.find(
    ({ optionId, perilId }) => perilId === peril.id && optionId === option.id
  )
  const preset = own?.valueId ?? option.default
  // A published product names a value here; the first stands in for a document never checked.
  return option.values.find(({ id }) => id === preset) ?? option.values[0]!
}

const chosenValue = (preset: ChosenOption, choice: PerilChoice | undefined): ChosenOption => {
  const options = choice?.options ?? {}
  const id = preset.option.id
  const valueId = Object.hasOwn(options, id) ? options[id] : undefined
  const value = preset.option.values.find((value) => value.id === valueId)
  return value === undefined ? preset : { option: preset.option, value }
}

/** What of a choice the product or the tier does not have. */
const choiceFailure = (
  product: Pick<Product, "perils">,
  tier: Tier,
  { id, included, options = {} }: PerilChoice,
  field: string,
  earlier: ReadonlyMap<string, PerilChoice>
): InvalidReference | undefined => {
  const peril = product.perils.find((peril) => peril.id === id)
  if (peril === undefined || earlier.has(id)) {
    return new InvalidReference({ field: `${field}/id`, value: id })
  }
  if (included !== undefined && included !== tier.perils.includes(id) && !peril.optional) {
    return new InvalidReference({ field: `${field}/included`, value: String(included) })
  }
  for (const [optionId, valueId] of Object.entries(options).toSorted(byName)) {
    const option = peril.options.find((option) => option.id === optionId)
    if (option === undefined) {
      return new InvalidReference({ field: `${field}/options`, value: optionId })
    }
    if (!option.values.some((value) => value.id === valueId)) {
      return new InvalidReference({ field: `${field}/options/${optionId}`, value: valueId })
    }
  }
  return undefined
}

/** In an order of their own, so that the same choices are answered alike however they come. */
const byName = ([a]: readonly [string, string], [b]: readonly [string, string]) => (a < b ? -1 : 1)
