/** What the insured bears of a loss. */
import { Schema } from "effect"

/** An amount of a claim, in minor units. */
export const ClaimAmount = Schema.Int.check(
  Schema.isBetween({ minimum: 0, maximum: 1_000_000_000_000 })
)

/** What the insured bears: an amount, or a share of the reduced loss in hundredths of a percent with its bounds. */
export const Deductible = Schema.Union([
  Schema.Struct({ amount: ClaimAmount }),
  Schema.Struct({
    permyriad: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000 })),
    min: Schema.optionalKey(ClaimAmount),
    max: Schema.optionalKey(ClaimAmount)
  })
])
export type Deductible = typeof Deductible.Type
