/**
 * Splits an amount over weighted shares without losing or making a unit: largest remainder
 * (Hamilton's method), ties to the lowest index. No share is more than one unit off its exact value,
 * and a negative amount is the mirror of the positive one.
 */
import { Schema } from "effect"

export class InvalidWeights extends Schema.TaggedError<InvalidWeights>()("InvalidWeights", {}) {
  override get message() {
    return "Give every share an integer weight of at least zero, and one of them more than zero."
  }
}

/**
 * `amount` minor units split by integer weights; the shares sum to it exactly.
 *
 * @throws InvalidWeights unless all weights are safe integers ≥ 0 with a positive sum
 */
export const allocate = (amount: number, weights: ReadonlyArray<number>): Array<number> => {
  let total = 0
  let largest = 0
  for (const weight of weights) {
    if (!Number.isSafeInteger(weight) || weight < 0) throw new InvalidWeights({})
    total += weight
    if (weight > largest) largest = weight
  }
  if (total <= 0) throw new InvalidWeights({})
  const magnitude = Math.abs(amount)
  if (!Number.isSafeInteger(magnitude * largest) || !Number.isSafeInteger(total)) {
    return allocateExact(BigInt(amount), weights.map(BigInt)).map(Number)
  }
  const shares: Array<number> = []
  const remainders: Array<number> = []
  let left = magnitude
  for (const weight of weights) {
    const product = magnitude * weight
    const remainder = product % total
    const share = (product - remainder) / total
    shares.push(share)
    remainders.push(remainder)
    left -= share
  }
  if (left > 0) {
    for (const index of byLargest(remainders).slice(0, left)) shares[index]! += 1
  }
  // `0 - share` keeps a share of nothing from becoming -0.
  return amount < 0 ? shares.map((share) => 0 - share) : shares
}

/**
 * The same without a limit of size.
 *
 * @throws InvalidWeights unless all weights are ≥ 0 with a positive sum
 */
export const allocateExact = (amount: bigint, weights: ReadonlyArray<bigint>): Array<bigint> => {
  const total = weights.reduce((sum, weight) => sum + weight, 0n)
  if (total <= 0n || weights.some((weight) => weight < 0n)) throw new InvalidWeights({})
  const magnitude = amount < 0n ? -amount : amount
  const products = weights.map((weight) => magnitude * weight)
  const shares = products.map((product) => product / total)
  const left = magnitude - shares.reduce((sum, share) => sum + share, 0n)
  const remainders = products.map((product) => product % total)
  // Fewer units are left than there are shares, so the count is a small number.
  for (const index of byLargest(remainders).slice(0, Number(left))) shares[index]! += 1n
  return amount < 0n ? shares.map((share) => -share) : shares
}

export interface Fraction {
  readonly numerator: number
  readonly denominator: number
}

/**
 * Integer weights in the proportion of fractions ≥ 0: the numerators over their least common
 * denominator.
 *
 * @throws InvalidWeights where they leave the safe integers
 */
export const weightsOf = (fractions: ReadonlyArray<Fraction>): Array<number> => {
  const common = fractions.reduce(
    (multiple, { denominator }) => multiple * (denominator / gcd(multiple, denominator)),
    1
  )
  return fractions.map(({ denominator, numerator }) => {
    const weight = numerator * (common / denominator)
    if (!Number.isSafeInteger(common) || !Number.isSafeInteger(weight)) throw new InvalidWeights({})
    return weight
  })
}

/** The greatest common divisor of two integers ≥ 0. */
export const gcd = (a: number, b: number): number => {
  let [larger, smaller] = [a, b]
  while (smaller !== 0) [larger, smaller] = [smaller, larger % smaller]
  return larger
}

/** Indices by falling remainder; equal ones stay in order, since sorting is stable. */
const byLargest = <N extends number | bigint>(remainders: ReadonlyArray<N>): Array<number> =>
  remainders
    .map((_, index) => index)
    .sort((a, b) =>
      remainders[a]! > remainders[b]! ? -1 : remainders[a]! < remainders[b]! ? 1 : 0
    )
