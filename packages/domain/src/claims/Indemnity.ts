/** What is paid for a loss: from what was assessed to what is payable now, in minor units of one currency. */
import { Schema } from "effect"
import { ClaimAmount, Deductible } from "../products/claims/Deductible.ts"

const Part = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))

/** The premium that was paid and the one that was due, where a risk was declared wrongly (art. L113-9). */
export const Proportion = Schema.Tuple([Part, Part]).check(
  Schema.makeFilter(([paid, due]) => paid <= due, {
    message: "Expected the premium that was paid, then the one that was due, which is no less"
  })
)

export const AssessedLoss = Schema.Struct({
  /** Without value added tax. */
  assessed: ClaimAmount,
  vat: Schema.optionalKey(ClaimAmount),
  /** Whether the insured recovers the tax: it is then no loss of theirs. */
  vatRecoverable: Schema.optionalKey(Schema.Boolean),
  /** What age and wear take off. */
  depreciation: Schema.optionalKey(ClaimAmount),
  proportion: Schema.optionalKey(Proportion),
  deductible: Schema.optionalKey(Deductible),
  /** What is left of the limit; absent where there is none. */
  limitLeft: Schema.optionalKey(ClaimAmount),
  /** What was paid on the line before. */
  paid: Schema.optionalKey(ClaimAmount)
})
export type AssessedLoss = typeof AssessedLoss.Type

/** Each step of the computation, so that it can be told and kept. */
export interface Indemnity {
  /** With tax, unless it is recovered. */
  readonly gross: number
  /** After depreciation. */
  readonly worn: number
  /** After the proportion, halves up. */
  readonly reduced: number
  /** What the terms take off, which may be more than the loss. */
  readonly deductible: number
  /** What is owed for the loss in all, within the limit. */
  readonly due: number
  /** What is left to pay. */
  readonly payable: number
}

/** What a loss comes to. No step goes below nothing; each share is rounded once, halves up. */
export const indemnity = (loss: AssessedLoss): Indemnity => {
  const { assessed, depreciation = 0, limitLeft, paid = 0, proportion = [1, 1], vat = 0 } = loss
  const gross = assessed + (loss.vatRecoverable === true ? 0 : vat)
  const worn = Math.max(0, gross - depreciation)
  const reduced = share(worn, ...proportion)
  const deductible = loss.deductible === undefined ? 0 : deductibleOf(reduced, loss.deductible)
  const due = Math.min(Math.max(0, reduced - deductible), limitLeft ?? Number.MAX_SAFE_INTEGER)
  return { gross, worn, reduced, deductible, due, payable: Math.max(0, due - paid) }
}

const deductibleOf = (reduced: number, deductible: Deductible): number => {
  if ("amount" in deductible) return deductible.amount
  const { max = Number.MAX_SAFE_INTEGER, min = 0, permyriad } = deductible
  return Math.min(max, Math.max(min, share(reduced, permyriad, 10_000)))
}

/** `amount` × `numerator` ÷ `denominator`, halves up; by big integers, since the product may leave the exact ones. */
const share = (amount: number, numerator: number, denominator: number): number => {
  const [whole, parts] = [BigInt(denominator), BigInt(amount) * BigInt(numerator)]
  return Number((2n * parts + whole) / (2n * whole))
}
