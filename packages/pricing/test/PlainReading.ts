/**
 * The perils' net premiums, read off the document in the plainest way: rows tried one by one, rates
 * multiplied as one fraction. What the compiled engine has to agree with.
 */
import type { CustomFieldValue } from "@quittance/domain/CustomField"
import type { Product } from "@quittance/domain/Product"
import type { Base, Factor } from "@quittance/domain/ProductRating"
import type { PriceInput } from "../src/PriceInput.ts"

type Row = { readonly is?: CustomFieldValue; readonly from?: number; readonly below?: number }

const fits = (row: Row, value: CustomFieldValue) =>
  "is" in row
    ? row.is === value
    : Number(value) >= (row.from ?? -Infinity) && Number(value) < (row.below ?? Infinity)

const rateOf = (factor: Factor, value: CustomFieldValue): number =>
  factor.kind === "LINEAR"
    ? (factor.offset ?? 0) + factor.perUnit * Number(value)
    : ((factor.rows as ReadonlyArray<Row & { readonly rate: number }>).find((row) =>
        fits(row, value)
      )?.rate ?? (factor as { readonly otherwise?: number }).otherwise!)

const amountOf = (base: Base, value: CustomFieldValue): number => {
  if (base.kind === "AMOUNT") return base.amount
  if (base.kind === "SHARE") return Number(value)
  return (
    (base.rows as ReadonlyArray<Row & { readonly amount: number }>).find((row) => fits(row, value))
      ?.amount ?? (base as { readonly otherwise?: number }).otherwise!
  )
}

const age = (date: string, start: string) => {
  const [year, month, day] = date.split("-").map(Number)
  const [startYear, startMonth, startDay] = start.split("-").map(Number)
  const reached = startMonth! > month! || (startMonth === month && startDay! >= day!)
  return startYear! - year! - (reached ? 0 : 1)
}

/** What the expressions of the shipped fleet say, in JavaScript. */
const fleetExpressions: Record<string, (given: PriceInput, asset: number) => CustomFieldValue> = {
  fleetSize: ({ assets }) => assets.length,
  lossRatio: ({ customFields: { claimsPaid, premiumsPaid } }) => {
    if (premiumsPaid === 0) return 60
    const percent = (Number(claimsPaid) * 100) / Number(premiumsPaid)
    return percent > 1000 ? 1000 : Math.floor(percent)
  },
  vehicleUse: ({ assets }, asset) => {
    const { category, radius } = assets[asset]!.customFields
    return `${category}/${radius}`
  },
  exposedGoods: ({ assets, customFields }, asset) => {
    const { parking, zone } = assets[asset]!.customFields
    const inTown = zone === "CITY" || zone === "METROPOLIS"
    return customFields["businessActivity"] === "DELIVERY" && parking === "STREET" && inTown
  }
}

const valuesOf = (
  { rating }: Product,
  given: PriceInput,
  inputId: string,
  asset: number
): ReadonlyArray<CustomFieldValue> => {
  const input = rating.inputs.find(({ id }) => id === inputId)!
  if (input.as === "EXPRESSION") return [fleetExpressions[inputId]!(given, asset)]
  const role = input.roles?.find((role) => given.customers.some((one) => one.role === role))
  const records =
    input.of === "POLICY"
      ? [given.customFields]
      : input.of === "ASSET"
        ? [given.assets[asset]!.customFields]
        : given.customers.filter((one) => one.role === role).map((one) => one.customFields)
  return records.map((record) => {
    const value = record[input.key]
    if (value === undefined) return input.default!
    return input.as === "AGE" ? age(String(value), given.startDate) : value
  })
}

const halfAwayFromZero = (numerator: bigint, denominator: bigint): number => {
  const negative = numerator < 0n
  const size = negative ? -numerator : numerator
  const whole = size / denominator
  const up = (size % denominator) * 2n >= denominator ? 1n : 0n
  return Number(negative ? -(whole + up) : whole + up)
}

export const plainNets = (product: Product, given: PriceInput): Record<string, number> => {
  const tier = product.tiers.find(({ id }) => id === given.tierId)!
  const nets: Record<string, number> = {}
  for (const { id, options, rating: tariff } of product.perils) {
    const rating = tariff!
    const choice = given.perils?.find((choice) => choice.id === id)
    if (!(choice?.included ?? tier.perils.includes(id))) continue
    let net = 0
    for (let asset = 0; asset < (rating.per === "ASSET" ? given.assets.length : 1); asset++) {
      const most = (inputId: string, read: (value: CustomFieldValue) => number) =>
        Math.max(...valuesOf(product, given, inputId, asset).map(read))
      const { base } = rating
      let numerator = BigInt(
        base.kind === "AMOUNT" ? base.amount : most(base.input, (value) => amountOf(base, value))
      )
      let denominator = 1n
      if (base.kind === "SHARE") {
        const [top, bottom] = base.rate.split("/").map(BigInt)
        numerator *= top!
        denominator *= bottom!
      }
      for (const factorId of rating.factors) {
        const factor = product.rating.factors.find((factor) => factor.id === factorId)!
        numerator *= BigInt(most(factor.input, (value) => rateOf(factor, value)))
        denominator *= 10_000n
      }
      const chosen = options.map((option) => {
        const preset = tier.defaults?.find(
          ({ optionId, perilId }) => perilId === id && optionId === option.id
        )?.valueId
        const valueId = choice?.options?.[option.id] ?? preset ?? option.default
        return option.values.find((value) => value.id === valueId)!
      })
      for (const { multiply = 10_000 } of chosen) {
        numerator *= BigInt(multiply)
        denominator *= 10_000n
      }
      for (const { add = 0 } of chosen) numerator += BigInt(add) * denominator
      const exact = halfAwayFromZero(numerator, denominator)
      net += Math.min(Math.max(exact, rating.min ?? 0), rating.max ?? Infinity)
    }
    nets[id] = net
  }
  return nets
}
