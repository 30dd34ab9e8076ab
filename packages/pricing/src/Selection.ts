/** What is covered, as a quote shows it. */
import type { PerilOption } from "@quittance/domain/products/ProductRating"
import type { SelectedTier } from "@quittance/domain/products/Quote"
import type { ChosenOption, Selected } from "@quittance/domain/products/sale/Selected"
import type { Component } from "./Components.ts"

/** Its first components are the covered perils, in their order. */
export const selectedTier = (
  { covered, tier: { id, name } }: Pick<Selected, "covered" | "tier">,
  components: ReadonlyArray<Component>
): SelectedTier => ({
  id,
  name,
  perils: covered.map(({ options, peril }, index) => ({
    id: peril.id,
    name: peril.name,
    ...(options.length === 0 ? {} : { option: valuesOf(options) }),
    ...amountOf("limit", "LIMIT", options),
    ...amountOf("deductible", "DEDUCTIBLE", options),
    premium: components[index]!.component.premium
  })),
  breakdown: components.map(({ component }) => component)
})

/** The chosen value of each option, by their identifiers. */
export const valuesOf = (options: ReadonlyArray<ChosenOption>): Readonly<Record<string, string>> =>
  Object.fromEntries(options.map(({ option, value }) => [option.id, value.id]))

const amountOf = <K extends string>(
  member: K,
  kind: PerilOption["kind"],
  options: ReadonlyArray<ChosenOption>
): { readonly [P in K]?: number } => {
  const amount = options.find(({ option }) => option.kind === kind)?.value.amount
  // A computed key widens to an index signature.
  return (amount === undefined ? {} : { [member]: amount }) as { readonly [P in K]?: number }
}
