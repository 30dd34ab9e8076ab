/** Exact arithmetic on money: products of rates as fractions of integers, rounded once at their end. */
import { AmountOverflow } from "@quittance/domain/values/Amount"

/** A fraction that is not negative. The denominator is positive. */
export interface Fraction {
  readonly numerator: number
  readonly denominator: number
}

/** Reads a fraction such as `134/1000`, which the product's schema has checked. */
export const parseFraction = (text: string): Fraction => {
  const slash = text.indexOf("/")
  return { numerator: Number(text.slice(0, slash)), denominator: Number(text.slice(slash + 1)) }
}

/** Rates are integers of which so many make ×1. */
export const one = 10_000

const half = (remainder: number, denominator: number) => remainder >= denominator - remainder

/** `amount × fraction` to the nearest multiple of `to`, half away from zero: −0.5 becomes −1. */
export const share = (amount: number, { denominator, numerator }: Fraction, to = 1): number => {
  const product = amount * numerator
  if (to !== 1 || !Number.isSafeInteger(product)) {
    return round(BigInt(amount) * BigInt(numerator), BigInt(denominator), to)
  }
  const size = Math.abs(product)
  const remainder = size % denominator
  const quotient = (size - remainder) / denominator + (half(remainder, denominator) ? 1 : 0)
  return product < 0 && quotient !== 0 ? -quotient : quotient
}

/**
 * `numerator / denominator` to the nearest multiple of `to`, half away from zero; the denominator is
 * positive.
 *
 * @throws AmountOverflow outside ±(2^53−1)
 */
export const round = (numerator: bigint, denominator: bigint, to = 1): number => {
  const size = numerator < 0n ? -numerator : numerator
  const step = to === 1 ? denominator : denominator * BigInt(to)
  const quotient = (2n * size + step) / (2n * step)
  const rounded = Number(numerator < 0n ? -quotient : quotient) * to
  if (!Number.isSafeInteger(rounded)) throw new AmountOverflow({})
  return rounded
}

/** A price on its way through its rates; nothing is lost until it is rounded. */
export interface ExactPrice {
  readonly numerator: bigint
  readonly denominator: bigint
}

export const start = (amount: number, fraction?: Fraction): ExactPrice => ({
  numerator: BigInt(amount) * BigInt(fraction?.numerator ?? 1),
  denominator: BigInt(fraction?.denominator ?? 1)
})

const unit = BigInt(one)

export const times = ({ denominator, numerator }: ExactPrice, rate: number): ExactPrice => ({
  numerator: numerator * BigInt(rate),
  denominator: denominator * unit
})

export const plus = ({ denominator, numerator }: ExactPrice, amount: number): ExactPrice => ({
  numerator: numerator + BigInt(amount) * denominator,
  denominator
})

/** Both together. */
export const joined = (a: ExactPrice, b: ExactPrice): ExactPrice =>
  a.denominator === b.denominator
    ? { numerator: a.numerator + b.numerator, denominator: a.denominator }
    : {
        numerator: a.numerator * b.denominator + b.numerator * a.denominator,
        denominator: a.denominator * b.denominator
      }

/** At least `min` and at most `max`. */
export const within = (price: ExactPrice, min: number, max: number | undefined): ExactPrice => {
  const { denominator, numerator } = price
  if (numerator < BigInt(min) * denominator) return start(min)
  return max !== undefined && numerator > BigInt(max) * denominator ? start(max) : price
}

/** What a running price comes to in minor units, as a multiple of `to`. */
export const rounded = ({ denominator, numerator }: ExactPrice, to = 1): number =>
  round(numerator, denominator, to)
