/**
 * Reads the answer of a quote provider. It counts as a whole or not at all: what is missing, is of
 * another product, or does not add up is told, and then no price comes of it.
 */
import { AmountOverflow, largestPrice, sum } from "@quittance/domain/values/Amount"
import type {
  AnsweredTier,
  PriceAnswer,
  ProviderRefusal
} from "@quittance/domain/products/PriceExchange"
import type { Product } from "@quittance/domain/products/Product"
import { type FieldIssue, InvalidCustomField } from "@quittance/domain/products/ProductFields"
import { Result } from "effect"
import { AnswerFaults } from "./AnswerFaults.ts"
import type { Assembled } from "./Assembly.ts"
import { isTooLarge, type Priced, type PriceResult } from "./Engine.ts"
import { readComponents } from "./ProviderComponents.ts"
import { assetPath, customerPath } from "./Inputs.ts"
import type { PriceInput } from "./PriceInput.ts"
import { askedCustomers, type AskedTier } from "./PriceQuestion.ts"
import { selectedTier } from "./Selection.ts"

/** The price of each tier that was asked for, in their order, or every fault of the answer. */
export const read = (
  product: Product,
  requestId: string,
  asked: ReadonlyArray<AskedTier>,
  answer: PriceAnswer
): Result.Result<ReadonlyArray<PriceResult>, ReadonlyArray<string>> => {
  const faults = new AnswerFaults()
  if (hasUnsoundText(answer)) faults.add("", "a text with a NUL or half a character")
  if (answer.requestId !== requestId) faults.add("/requestId", "that of another request")
  if (answer.currency !== product.currency) faults.add("/currency", `not ${product.currency}`)
  for (const [index, { id }] of answer.tiers.entries()) {
    const first = answer.tiers.findIndex((tier) => tier.id === id)
    if (first < index || asked.every(({ tier }) => tier.id !== id)) {
      faults.add(`/tiers/${index}/id`, "not asked for, or answered twice")
    }
  }
  const results = asked.flatMap((tier): ReadonlyArray<PriceResult> => {
    const index = answer.tiers.findIndex(({ id }) => id === tier.tier.id)
    const answered = answer.tiers[index]
    if (answered === undefined) faults.add("/tiers", `no answer for ${tier.tier.id}`)
    else if ("refusals" in answered)
      return [Result.fail([refused(product, tier, answered.refusals)])]
    else {
      const priced = pricedOf(
        product,
        answer.providerVersion,
        tier,
        answered,
        faults,
        `/tiers/${index}/price`
      )
      if (priced !== undefined) return [Result.succeed(priced)]
    }
    return []
  })
  return faults.list.length === 0 ? Result.succeed(results) : Result.fail(faults.list)
}

/** What no database keeps. */
const hasUnsoundText = (value: unknown): boolean =>
  typeof value === "string"
    ? /[\0\p{Cs}]/u.test(value)
    : typeof value === "object" && value !== null && Object.values(value).some(hasUnsoundText)

type PricedTier = Extract<AnsweredTier, { readonly price: unknown }>

const pricedOf = (
  product: Product,
  version: string,
  asked: AskedTier,
  { price }: PricedTier,
  faults: AnswerFaults,
  at: string
): Priced | undefined => {
  const before = faults.list.length
  const components = readComponents(product, asked, price, faults, at)
  const totalPremium = summed(components, faults, at)
  const premiumItems = components.flatMap((component) => component.premiumItems)
  if (isTooLarge(premiumItems)) faults.add(`${at}/components`, `more than ${largestPrice} in all`)
  if (totalPremium === undefined || faults.list.length > before) return undefined
  const { amountPreFeesAndTaxes: net } = totalPremium
  if (net - (asked.input.additionalQuoteComponents?.premium.amountPreFeesAndTaxes ?? 0) < 0) {
    faults.add(`${at}/components`, "discounts take more than there is")
  }
  for (const total of totals) {
    if (price.totalPremium[total] !== totalPremium[total]) {
      faults.add(`${at}/totalPremium/${total}`, `the components sum to ${totalPremium[total]}`)
    }
  }
  return {
    tier: asked.tier,
    quote: {
      provider: { id: product.quoteProvider?.id ?? "", version },
      ...(price.basePrice === undefined ? {} : { basePrice: price.basePrice }),
      rates: price.rates ?? [],
      totalPremium,
      components: components.map(({ component }) => component)
    },
    selectedTier: selectedTier(asked, components),
    premiumItems,
    components,
    derogations: asked.derogations
  }
}

const totals = [
  "amountPreFeesAndTaxes",
  "totalFees",
  "amountWithFeesPreTaxes",
  "totalTaxes",
  "amountWithFeesAndTaxes"
] as const

const summed = (components: ReadonlyArray<Assembled>, faults: AnswerFaults, at: string) => {
  try {
    return sum(components.map(({ component }) => component.premium))
  } catch (error) {
    if (!(error instanceof AmountOverflow)) throw error
    faults.add(`${at}/components`, "their sum is too large")
    return undefined
  }
}

/** As the built-in engine tells what it does not price: by where it lies in the policy. */
const refused = (
  product: Product,
  { input }: AskedTier,
  refusals: ReadonlyArray<ProviderRefusal>
): InvalidCustomField =>
  new InvalidCustomField({
    issues: refusals.map(({ message, path = "" }): FieldIssue => ({
      path: inPolicy(product, input, path),
      message
    }))
  })

const inPolicy = (product: Product, input: PriceInput, path: string): string => {
  const [, list, position, ...rest] = path.split("/")
  const index = Number(position)
  const customer = askedCustomers(product, input)[index]
  const asset = input.assets[index]
  if (list === "customers" && customer !== undefined) {
    return [customerPath(customer, input.customers.indexOf(customer)), ...rest].join("/")
  }
  if (list === "assets" && asset !== undefined) return [assetPath(asset, index), ...rest].join("/")
  return path
}
