/** What a product says of claims: what may happen, what of it is covered, and by when things are done. */
import { Schema } from "effect"
import { DeadlineRule } from "./DeadlineRule.ts"
import { Deductible } from "./Deductible.ts"
import { Duration } from "../../values/Duration.ts"
import { Field } from "../ProductFields.ts"
import { Label, Name, Names } from "../ProductRating.ts"

const { requiredFor: _requiredFor, roles: _roles, ...question } = Field.fields

/** What is asked of a loss; `DECLARE`: it is not declared without an answer. */
export const ClaimQuestion = Schema.Struct({
  ...question,
  requiredFor: Schema.Literals(["NEVER", "DECLARE"])
}).annotate({ identifier: "ClaimQuestion" })
export type ClaimQuestion = typeof ClaimQuestion.Type

export const LossType = Schema.Struct({
  id: Name,
  name: Label,
  /** The perils that a loss of the type may be covered by. */
  perils: Names,
  facts: Schema.Array(ClaimQuestion).check(Schema.isMaxLength(100)),
  /** Whether it is covered only by a decree for its place and day, as natural disasters are. */
  needsDecree: Schema.optionalKey(Schema.Boolean),
  /** What the law lets the insured bear, whatever the contract says. */
  legalDeductible: Schema.optionalKey(Schema.Struct({ law: Label, deductible: Deductible }))
})
export type LossType = typeof LossType.Type

/** How long a loss may be declared, counted from the day after it or after its decree was published. */
export const DeclareWithin = Schema.Struct({
  /** Absent: it holds for every type that has no entry of its own. */
  lossTypes: Schema.optionalKey(Names),
  days: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 3650 })),
  /** Whether only working days count. */
  working: Schema.Boolean,
  from: Schema.optionalKey(Schema.Literal("DECREE_PUBLISHED")),
  /** The article that sets it. */
  law: Schema.optionalKey(Label)
})
export type DeclareWithin = typeof DeclareWithin.Type

/** What holds for claims on a peril; what is absent is not limited. */
export const PerilClaims = Schema.Struct({
  /** How long cover has to have run before a loss is covered, in whole days. */
  waiting: Schema.optionalKey(Duration),
  /** The countries where a loss is covered, as in ISO 3166-1. */
  territory: Schema.optionalKey(
    Schema.Array(
      Schema.String.check(
        Schema.isPattern(/^[A-Z]{2}$/u, {
          message: "Expected a country in two capitals, as in ISO 3166-1: FR"
        })
      )
    ).check(Schema.isMinLength(1), Schema.isMaxLength(300))
  ),
  coveredWhileSuspended: Schema.optionalKey(Schema.Boolean),
  /** The option that is what the insured bears; absent: the peril's first one of kind `DEDUCTIBLE`. */
  deductibleOption: Schema.optionalKey(Name),
  /** The option that is the most that is paid; absent: the peril's first one of kind `LIMIT`. */
  limitOption: Schema.optionalKey(Name),
  limitPer: Schema.Literals(["CLAIM", "YEAR"])
})
export type PerilClaims = typeof PerilClaims.Type

/** A loss that is not covered where an expression over facts and fields is true. */
export const ClaimExclusion = Schema.Struct({
  id: Name,
  label: Label,
  /** The article that sets it. */
  law: Schema.optionalKey(Label),
  /** Absent: it holds for every peril. */
  perils: Schema.optionalKey(Names),
  expression: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(1000))
})
export type ClaimExclusion = typeof ClaimExclusion.Type

export const ClaimDeadline = Schema.Struct({
  id: Name,
  label: Label,
  ...DeadlineRule.fields,
  /** Absent: it holds for every loss type. */
  lossTypes: Schema.optionalKey(Names),
  /** It holds only where this is true; absent: always. */
  when: Schema.optionalKey(Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(1000)))
})
export type ClaimDeadline = typeof ClaimDeadline.Type

export const ProductClaims = Schema.Struct({
  lossTypes: Schema.Array(LossType).check(Schema.isMinLength(1), Schema.isMaxLength(100)),
  declareWithin: Schema.Array(DeclareWithin).check(Schema.isMaxLength(100)),
  perils: Schema.Record(Name, PerilClaims),
  exclusions: Schema.Array(ClaimExclusion).check(Schema.isMaxLength(100)),
  deadlines: Schema.Array(ClaimDeadline).check(Schema.isMaxLength(100)),
  /** What a payment beyond the reserve does: it raises the reserve first, or it is refused. */
  paymentsBeyondReserve: Schema.Literals(["RAISE", "REFUSE"]),
  /** Whether unpaid premium may be taken from what is paid for a claim. */
  setOff: Schema.Boolean,
  /** Whether the claims of one cause share a deductible and a limit. */
  series: Schema.Literals(["PER_CLAIM", "PER_SERIES"]),
  /** Whether the insurer may end the contract after a claim, for which reason, and how many days ahead. */
  stopAfterClaim: Schema.optionalKey(
    Schema.Struct({
      reason: Name,
      noticeDays: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 366 }))
    })
  )
}).annotate({ identifier: "ProductClaims" })
export type ProductClaims = typeof ProductClaims.Type

/** What every claim says of itself; expressions read it, and no fact has such a key. */
export const claimNames = ["injuries", "lossType"] as const
