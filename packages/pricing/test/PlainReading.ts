/**
 * A quote, read off the document in the plainest way: rows tried one by one, rates multiplied as one
 * fraction, nothing looked up twice or kept. What the compiled engine has to agree with.
 */
import type { CustomFieldValue } from "@quittance/domain/values/CustomField"
import type { Product } from "@quittance/domain/products/Product"
import type { DatedCharge, Special, Jurisdiction } from "@quittance/domain/products/ProductCharges"
import type { Base, Factor, RatingInput } from "@quittance/domain/products/ProductRating"
import type { PriceInput } from "../src/PriceInput.ts"
import { NoValue } from "./RandomExpression.ts"
import { expressionsOf } from "./RandomProduct.ts"

/** There is no price: a value is missing, can't be computed, or lies outside what is priced. */
export class NotInsurable extends Error {}

export interface PlainComponent {
  readonly id: string
  readonly type: string
  readonly chargeType: string
  readonly net: number
  readonly fees: ReadonlyArray<readonly [id: string, amount: number]>
  readonly taxes: ReadonlyArray<readonly [id: string, chargeType: string, amount: number]>
}

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

const taken = (as: string, text: string, start: string): number => {
  const [year, month, day] = text.split("-").map(Number)
  const [startYear, startMonth, startDay] = start.split("-").map(Number)
  const months = (startYear! - year!) * 12 + startMonth! - month! - (startDay! < day! ? 1 : 0)
  if (as === "YEAR") return year!
  if (months < 0) throw new NotInsurable()
  return as === "AGE" ? Math.floor(months / 12) : months
}

/** What the expressions of the shipped fleet say, in JavaScript. */
const fleetExpressions: Record<string, (given: PriceInput, asset: number) => CustomFieldValue> = {
  fleetSize: ({ assets }) => assets.length,
  lossRatio: ({ customFields: { claimsPaid, premiumsPaid } }) => {
    if (premiumsPaid === 0) return 60
    const percent = (Number(claimsPaid) * 100) / Number(premiumsPaid)
    return percent > 1000 ? 1000 : Math.floor(percent)
  },
  poorResults: (given) => Number(fleetExpressions["lossRatio"]!(given, 0)) > 200,
  valuable: ({ assets }, asset) => Number(assets[asset]!.customFields["value"]) > 15_000_000,
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

/** One reading of one product for one input. */
class Reading {
  readonly #product: Product
  readonly #given: PriceInput

  constructor(product: Product, given: PriceInput) {
    this.#product = product
    this.#given = given
  }

  /** Of a customer's input one for each who holds the role. */
  values(inputId: string, asset: number): ReadonlyArray<CustomFieldValue> {
    const input = this.#product.rating.inputs.find(({ id }) => id === inputId)!
    const values = input.as === "EXPRESSION" ? this.#made(input, asset) : this.#taken(input, asset)
    for (const value of values) {
      const { max = Infinity, min = -Infinity } = input
      const isOutside = typeof value === "number" && (value < min || value > max)
      if (isOutside && value !== input.default) throw new NotInsurable()
    }
    return values
  }

  #taken(
    input: Extract<RatingInput, { readonly key: string }>,
    asset: number
  ): ReadonlyArray<CustomFieldValue> {
    const { assets, customers, customFields, startDate } = this.#given
    const role = input.roles?.find((role) => customers.some((one) => one.role === role))
    const standIn = () => {
      if (input.default === undefined) throw new NotInsurable()
      return input.default
    }
    if (input.of === "CUSTOMER" && role === undefined) return [standIn()]
    const records =
      input.of === "POLICY"
        ? [customFields]
        : input.of === "ASSET"
          ? [assets[asset]!.customFields]
          : customers.filter((one) => one.role === role).map((one) => one.customFields)
    return records.map((record) => {
      const value = record[input.key]
      if (value === undefined) return standIn()
      return input.as === "VALUE" ? value : taken(input.as, String(value), startDate)
    })
  }

  #made(
    input: Extract<RatingInput, { readonly as: "EXPRESSION" }>,
    asset: number
  ): ReadonlyArray<CustomFieldValue> {
    const shipped = fleetExpressions[input.id]
    const drawn = expressionsOf(this.#product).get(input.id)
    if (drawn === undefined) return [shipped!(this.#given, asset)]
    const of = (name: string) =>
      name === "assetCount" ? [this.#given.assets.length] : this.values(name, asset)
    const seen = new Map(drawn.variables.map((name) => [name, of(name)]))
    const rows = Math.max(1, ...[...seen.values()].map(({ length }) => length))
    return Array.from({ length: rows }, (_, row) => {
      const value = read(() =>
        drawn.value((name) => {
          const values = seen.get(name)!
          return values[values.length === 1 ? 0 : row]!
        })
      )
      const found = value ?? input.default
      const isListed = input.values === undefined || input.values.includes(String(found))
      if (found === undefined || !isListed) throw new NotInsurable()
      return found
    })
  }
}

/** The value of an expression, where it has one that a field could have. */
const read = (value: () => bigint | CustomFieldValue): CustomFieldValue | undefined => {
  try {
    const found = value()
    if (typeof found === "string" && found.length > 1000) return undefined
    if (typeof found !== "bigint") return found
    return Number.isSafeInteger(Number(found)) ? Number(found) : undefined
  } catch (error) {
    if (error instanceof NoValue) return undefined
    throw error
  }
}

export interface Ratio {
  readonly numerator: bigint
  readonly denominator: bigint
}

export const halfAwayFromZero = ({ denominator, numerator }: Ratio, to: number): number => {
  const step = denominator * BigInt(to)
  const negative = numerator < 0n
  const size = negative ? -numerator : numerator
  const whole = size / step
  const up = (size % step) * 2n >= step ? 1n : 0n
  return Number(negative ? -(whole + up) : whole + up) * to
}

const share = (amount: number, text: string, to = 1): number => {
  const [top, bottom] = text.split("/").map(BigInt)
  return halfAwayFromZero({ numerator: BigInt(amount) * top!, denominator: bottom! }, to)
}

const chargeOf = (charges: ReadonlyArray<DatedCharge>, day: string): DatedCharge =>
  charges.toReversed().find(({ from }) => from <= day)!

const charged = (base: number, charge: DatedCharge, to: number | undefined): number =>
  charge.rate === undefined ? charge.amount! : share(base, charge.rate, to)

/** The net premiums of the covered perils. */
const plainNets = (product: Product, given: PriceInput): Record<string, number> => {
  const reading = new Reading(product, given)
  const tier = product.tiers.find(({ id }) => id === given.tierId)!
  const nets: Record<string, number> = {}
  const { at = "ASSET", to = 1 } = product.rounding?.premiums ?? {}
  for (const { id, options, rating } of product.perils) {
    const choice = given.perils?.find((choice) => choice.id === id)
    if (rating === undefined || !(choice?.included ?? tier.perils.includes(id))) continue
    const prices: Array<Ratio> = []
    for (let asset = 0; asset < (rating.per === "ASSET" ? given.assets.length : 1); asset++) {
      const most = (inputId: string, read: (value: CustomFieldValue) => number) =>
        Math.max(...reading.values(inputId, asset).map(read))
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
      const [min, max] = [BigInt(rating.min ?? 0), BigInt(rating.max ?? Number.MAX_SAFE_INTEGER)]
      if (numerator < min * denominator) numerator = min * denominator
      if (numerator > max * denominator) numerator = max * denominator
      prices.push({ numerator, denominator })
    }
    nets[id] =
      at === "ASSET"
        ? prices.reduce((sum, price) => sum + halfAwayFromZero(price, to), 0)
        : halfAwayFromZero(sumOf(prices), to)
  }
  return nets
}

const sumOf = (prices: ReadonlyArray<Ratio>): Ratio =>
  prices.reduce((a, b) => ({
    numerator: a.numerator * b.denominator + b.numerator * a.denominator,
    denominator: a.denominator * b.denominator
  }))

/** What each peril has left of its premium once a discount is taken: by largest remainders. */
const lessen = (left: Record<string, number>, ids: ReadonlyArray<string>, taken: number) => {
  const whole = ids.reduce((sum, id) => sum + left[id]!, 0)
  const exact = ids.map((id) => (BigInt(taken) * BigInt(left[id]!)) / BigInt(whole))
  const coverageGaps = ids.map((id) => (BigInt(taken) * BigInt(left[id]!)) % BigInt(whole))
  let missing = taken - Number(exact.reduce((sum, part) => sum + part, 0n))
  const order = ids.map((_, index) => index)
  order.sort((a, b) => Number(coverageGaps[b]! - coverageGaps[a]!) || a - b)
  for (const [index, id] of ids.entries()) left[id]! -= Number(exact[index]!)
  for (const index of order) if (missing-- > 0) left[ids[index]!]! -= 1
}

interface Line {
  readonly id: string
  readonly type: string
  readonly chargeType: string
  readonly taxClass?: string | undefined
  readonly net: number
  readonly fees: ReadonlyArray<readonly [id: string, amount: number]>
  readonly isDiscount?: boolean
}

/** @throws NotInsurable */
export const plainQuote = (product: Product, given: PriceInput): ReadonlyArray<PlainComponent> => {
  const { rounding, specials, taxes } = product
  const day = given.startDate
  const reading = new Reading(product, given)
  const isTrue = (inputId: string) =>
    given.assets.some((_, asset) => reading.values(inputId, asset).includes(true))
  const isLevied = (where: Jurisdiction | undefined) =>
    where === undefined || where.in.includes(reading.values(where.input, 0)[0]!)
  const nets = plainNets(product, given)
  for (const { input } of product.derogations ?? []) isTrue(input)
  for (const { where } of [...product.fees, ...taxes]) isLevied(where)

  const lines: Array<Line> = product.perils
    .filter(({ id }) => id in nets)
    .map(({ chargeType = "RECURRING", id, taxClass }) => {
      return { id, type: "PERIL", chargeType, taxClass, net: nets[id]!, fees: [] }
    })
  const left = { ...nets }
  const applied = specials.filter(({ when }) => when === undefined || isTrue(when))
  for (const special of applied) {
    const { charges = [], chargeType = "RECURRING", id, kind, of, taxClass, until } = special
    const present = of.filter((id) => id in left)
    if (present.length === 0 || (until !== undefined && day >= until)) continue
    const base = present.reduce((sum, id) => sum + left[id]!, 0)
    const amount = charged(base, chargeOf(charges, day), rounding?.specials?.to)
    const net = netOfSpecial(kind, base, amount)
    if (net === undefined) continue
    if (kind === "DISCOUNT" && net < 0) lessen(left, present, -net)
    const type = kind === "MINIMUM" ? "PREMIUM" : "SPECIAL"
    lines.push({ id, type, chargeType, taxClass, net, fees: [], isDiscount: kind === "DISCOUNT" })
  }
  const added = given.additionalQuoteComponents
  const net =
    lines.reduce((sum, { net }) => sum + net, 0) + (added?.premium.amountPreFeesAndTaxes ?? 0)
  const baseOf = (classes: ReadonlyArray<string> | undefined) =>
    classes === undefined
      ? net
      : lines
          .filter(({ taxClass }) => taxClass !== undefined && classes.includes(taxClass))
          .reduce((sum, { net }) => sum + net, 0)
  const { brokerageFees = [] } = given
  const fees: Array<Line> = product.fees
    .filter(({ where }) => isLevied(where))
    .map(({ charges = [], chargeType, classes, id, taxClass }) => {
      const amount = charged(baseOf(classes), chargeOf(charges, day), rounding?.fees?.to)
      return { id, type: "FEE", chargeType, taxClass, net: 0, fees: [[id, amount]] }
    })
  if (brokerageFees.length > 0) {
    const { chargeType, id, taxClass } = product.brokerageFee
    const earned = brokerageFees.map(({ fee }): readonly [string, number] => {
      const text = `${Math.round(fee * 10_000)}/1000000`
      return [id, share(net, text, rounding?.fees?.to)]
    })
    fees.unshift({ id, type: "FEE", chargeType, taxClass, net: 0, fees: earned })
  }
  const taxed = ({ isDiscount, taxClass, ...line }: Line): PlainComponent => ({
    ...line,
    taxes: taxes.flatMap((tax) => {
      if (tax.level !== "COMPONENT" || !tax.classes.some((name) => name === taxClass)) return []
      const charge = chargeOf(tax.charges ?? [], day)
      if (!isLevied(tax.where) || (isDiscount === true && charge.rate === undefined)) return []
      const base = line.net + line.fees.reduce((sum, [, amount]) => sum + amount, 0)
      const amount = charged(base, charge, rounding?.taxes?.to)
      return [[tax.id, tax.chargeType ?? line.chargeType, amount] as const]
    })
  })
  return [
    ...lines.map(taxed),
    ...(added === undefined ? [] : [plainly(added)]),
    ...fees.map(taxed),
    ...taxes.flatMap((tax): ReadonlyArray<PlainComponent> => {
      if (tax.level !== "POLICY" || !isLevied(tax.where)) return []
      const { charges = [], chargeType, classes, id } = tax
      const amount = charged(baseOf(classes), chargeOf(charges, day), rounding?.taxes?.to)
      return [{ id, type: "TAX", chargeType, net: 0, fees: [], taxes: [[id, chargeType, amount]] }]
    })
  ]
}

const netOfSpecial = (kind: Special["kind"], base: number, amount: number) => {
  if (kind === "SHARE") return amount
  if (kind === "DISCOUNT") return 0 - Math.min(amount, base)
  return amount > base ? amount - base : undefined
}

/** A component of a quote in the same form. */
export const plainly = ({
  chargeType,
  id,
  premium: { amountPreFeesAndTaxes: net, fees, taxes },
  type
}: NonNullable<PriceInput["additionalQuoteComponents"]>): PlainComponent => ({
  id,
  type,
  chargeType,
  net,
  fees: fees.map(({ amount, id }) => [id, amount] as const),
  taxes: taxes.map(({ amount, chargeType, id }) => [id, chargeType, amount] as const)
})
