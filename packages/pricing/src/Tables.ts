/** A product's tables, compiled: what a value is worth. */
import type { CustomFieldValue } from "@quittance/domain/values/CustomField"
import type { Base, Factor } from "@quittance/domain/products/ProductRating"

/** The outcome for a value; `undefined` where the table has none, which a published one never does. */
export type Lookup = (value: CustomFieldValue) => number | undefined

/** The rate of a factor. */
export const compileFactor = (factor: Factor): Lookup => {
  switch (factor.kind) {
    case "VALUE":
      return byValue(
        factor.rows.map(({ is, rate }) => [is, rate] as const),
        factor.otherwise
      )
    case "RANGE":
      return byRange(factor.rows.map(({ below, from, rate }) => ({ below, from, outcome: rate })))
    case "LINEAR": {
      const { offset = 0, perUnit } = factor
      return (value) => {
        const rate = offset + perUnit * Number(value)
        return Number.isSafeInteger(rate) && rate >= 0 ? rate : undefined
      }
    }
  }
}

/** The amount of a base that is looked up; of a share, the amount that the share is of. */
export const compileBase = (base: Exclude<Base, { readonly kind: "AMOUNT" }>): Lookup => {
  switch (base.kind) {
    case "VALUE":
      return byValue(
        base.rows.map(({ amount, is }) => [is, amount] as const),
        base.otherwise
      )
    case "RANGE":
      return byRange(base.rows.map(({ amount, below, from }) => ({ below, from, outcome: amount })))
    case "SHARE":
      return (value) => {
        const amount = Number(value)
        return Number.isSafeInteger(amount) && amount >= 0 ? amount : undefined
      }
  }
}

const byValue = (
  rows: ReadonlyArray<readonly [CustomFieldValue, number]>,
  otherwise: number | undefined
): Lookup => {
  const table = new Map(rows)
  return (value) => table.get(value) ?? otherwise
}

interface RangeRow {
  readonly from: number | undefined
  readonly below: number | undefined
  readonly outcome: number
}

/** Rows follow each other without a gap, so the first that ends above the value holds it. */
const byRange = (rows: ReadonlyArray<RangeRow>): Lookup => {
  const ends = rows.map(({ below }) => below ?? Infinity)
  const outcomes = rows.map(({ outcome }) => outcome)
  const start = rows[0]?.from ?? -Infinity
  return (value) => {
    const number = Number(value)
    if (!(number >= start)) return undefined
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >>> 1
      // A middle of two indices inside the list is inside it.
      if (ends[middle]! > number) high = middle
      else low = middle + 1
    }
    return outcomes[low]
  }
}
