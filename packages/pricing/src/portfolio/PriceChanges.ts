/**
 * How the prices of many policies move, in constant memory: sums are exact, and of each relative change
 * a hundredth of a per cent is kept.
 */
import { share } from "../Exact.ts"

/** Relative changes are kept up to ±1,000 %; what is beyond counts as that. */
export const mostBasisPoints = 100_000

/**
 * By how many hundredths of a per cent a price moves, rounded half away from zero; 0 only where it does
 * not move at all. From nothing to something it is the most there is.
 */
export const relativeChange = (before: number, after: number): number => {
  if (after === before) return 0
  const sign = after > before ? 1 : -1
  // So far apart that the product of both is no longer exact it is beyond the most by far.
  const size = Math.abs(after - before)
  if (before === 0 || size / Math.abs(before) >= mostBasisPoints / 10_000) {
    return sign * mostBasisPoints
  }
  return sign * Math.max(1, share(size, { numerator: 10_000, denominator: Math.abs(before) }))
}

export class PriceChanges {
  readonly #counts = new Float64Array(2 * mostBasisPoints + 1)
  #rises = 0
  #falls = 0
  #unchanged = 0
  #before = 0n
  #after = 0n
  #basisPoints = 0n

  /** Counts a policy whose price goes from one amount to another, in minor units. */
  add(before: number, after: number): void {
    const change = relativeChange(before, after)
    this.#counts[change + mostBasisPoints]! += 1
    if (change > 0) this.#rises += 1
    else if (change < 0) this.#falls += 1
    else this.#unchanged += 1
    this.#before += BigInt(before)
    this.#after += BigInt(after)
    this.#basisPoints += BigInt(change)
  }

  get count(): number {
    return this.#rises + this.#falls + this.#unchanged
  }

  get rises(): number {
    return this.#rises
  }

  get falls(): number {
    return this.#falls
  }

  get unchanged(): number {
    return this.#unchanged
  }

  /** All prices together as they were, in minor units. */
  get totalBefore(): bigint {
    return this.#before
  }

  get totalAfter(): bigint {
    return this.#after
  }

  /** The mean of the relative changes, in hundredths of a per cent; `undefined` of none. */
  get mean(): number | undefined {
    return this.count === 0 ? undefined : Number(this.#basisPoints) / this.count
  }

  /** What a policy's price moves by on average, in minor units, rounded half away from zero. */
  get meanAmount(): number | undefined {
    if (this.count === 0) return undefined
    const total = this.#after - this.#before
    const size = total < 0n ? -total : total
    const count = BigInt(this.count)
    const mean = Number((2n * size + count) / (2n * count))
    return total < 0n && mean !== 0 ? -mean : mean
  }

  /**
   * The least relative change that at least this share of the policies, a number of per cent, does not
   * exceed: the nearest rank. 0 % is the least of all.
   */
  quantile(percent: number): number | undefined {
    if (this.count === 0) return undefined
    const rank = Math.max(1, Math.ceil((this.count * percent) / 100))
    let change = -mostBasisPoints
    for (let seen = this.#at(change); seen < rank; seen += this.#at(change)) change += 1
    return change
  }

  /** How many relative changes lie between two, both included. */
  between(from: number, to: number): number {
    let count = 0
    for (let change = from; change <= to; change++) count += this.#at(change)
    return count
  }

  #at(change: number): number {
    return this.#counts[change + mostBasisPoints] ?? 0
  }
}
