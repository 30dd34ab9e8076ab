/** How a product's document says what a peril costs. */
import { Schema } from "effect"
import { ChargeType, Money } from "../values/Amount.ts"
import { CustomFieldValue } from "../values/CustomField.ts"
import { FieldKey } from "./ProductFields.ts"

/** What a document calls a peril, a role, a tax; it stands in paths, so it has no slash. */
export const Name = Schema.String.check(
  Schema.isPattern(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/u, {
    message: "Expected a name: a letter, then at most 63 letters, digits, `_` and `-`"
  })
)

export const Label = Schema.NonEmptyString
export const Names = Schema.Array(Name).check(Schema.isMinLength(1))

/** An amount in minor units that is not negative. */
const priceForm = {
  message: "Expected an integer in the minor unit that is not negative: 1234 for 12.34"
}
export const Price = Schema.Number.check(
  Schema.isInt(priceForm),
  Schema.isGreaterThanOrEqualTo(0, priceForm)
)

/** A factor as an integer: 10 000 is ×1. */
const rateForm = {
  message: "Expected an integer between 0 and 10000000, 10000 being ×1: 11500 for ×1.15"
}
export const Rate = Schema.Number.check(
  Schema.isInt(rateForm),
  Schema.isBetween({ minimum: 0, maximum: 10_000_000 }, rateForm)
)

/** An exact share such as `134/1000`: never a float, so 13.4 % is 13.4 %. */
export const Fraction = Schema.String.check(
  Schema.isPattern(/^(?:0|[1-9]\d{0,8})\/[1-9]\d{0,8}$/u, {
    message: "Expected a fraction of integers such as 33/100"
  })
)

const ratingInput = {
  id: Name,
  label: Label,
  of: Schema.Literals(["POLICY", "CUSTOMER", "ASSET"]),
  /** Of a customer: the first of these roles that a customer holds. */
  roles: Schema.optionalKey(Names),
  /** Bounds, inclusive, of a number; what lies outside them is not priced. */
  min: Schema.optionalKey(Schema.Finite),
  max: Schema.optionalKey(Schema.Finite),
  /** Stands in where there is no value. */
  default: Schema.optionalKey(CustomFieldValue)
}

/**
 * A custom field as it is (`VALUE`), or what a `DATE` field gives: its calendar year (`YEAR`), or the
 * years (`AGE`) or months (`AGE_IN_MONTHS`) completed on the local day on which the priced period
 * starts. Where a month has no such day, as February has no 31st, it is completed on the first of the
 * next; so for a person born on 29 February a year is completed on 1 March where there is no 29th.
 *
 * Where several customers hold the role each is rated, and the dearest counts.
 */
export const FieldInput = Schema.Struct({
  ...ratingInput,
  key: FieldKey,
  as: Schema.Literals(["VALUE", "AGE", "AGE_IN_MONTHS", "YEAR"])
})
export type FieldInput = typeof FieldInput.Type

/**
 * What an expression makes of the inputs before it in the list, by their identifiers: those of the
 * policy, of the same customer or of the same asset, and `assetCount`. The language is a part of CEL
 * (Common Expression Language) without loops: arithmetic of integers, comparisons, `&&`, `||`, `!`,
 * `? :`, `in [...]`, `size`, `int`, `double`, `string`, `startsWith`, `endsWith`, `contains`.
 */
export const ExpressionInput = Schema.Struct({
  ...ratingInput,
  as: Schema.Literal("EXPRESSION"),
  expression: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(1000)),
  type: Schema.Literals(["INTEGER", "BOOLEAN", "STRING"]),
  /** All that a `STRING` may be; without them its tables need `otherwise`. */
  values: Schema.optionalKey(Schema.Array(Schema.String).check(Schema.isMinLength(1)))
})
export type ExpressionInput = typeof ExpressionInput.Type

/** A value that rating works with. */
export const RatingInput = Schema.Union([FieldInput, ExpressionInput])
export type RatingInput = typeof RatingInput.Type

/** The half-open range `[from, below)`; without `from` or `below` it is open on that side. */
const range = {
  from: Schema.optionalKey(Schema.Finite),
  below: Schema.optionalKey(Schema.Finite)
}

const factor = { id: Name, label: Label, input: Name }

/** A multiplication by a rate, found by exact value or range, or growing with an integer input. */
export const Factor = Schema.Union([
  Schema.Struct({
    ...factor,
    kind: Schema.Literal("VALUE"),
    rows: Schema.Array(Schema.Struct({ is: CustomFieldValue, rate: Rate })),
    /** For values that have no row. */
    otherwise: Schema.optionalKey(Rate)
  }),
  Schema.Struct({
    ...factor,
    kind: Schema.Literal("RANGE"),
    rows: Schema.Array(Schema.Struct({ ...range, rate: Rate }))
  }),
  Schema.Struct({
    ...factor,
    kind: Schema.Literal("LINEAR"),
    /** The rate is `offset + perUnit × input`, which never gets below 0. */
    perUnit: Schema.Int,
    offset: Schema.optionalKey(Schema.Int)
  })
])
export type Factor = typeof Factor.Type

/** What a peril costs before its factors: one amount, a table of amounts, or a share of an input. */
export const Base = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("AMOUNT"), amount: Price }),
  Schema.Struct({
    kind: Schema.Literal("VALUE"),
    input: Name,
    rows: Schema.Array(Schema.Struct({ is: CustomFieldValue, amount: Price })),
    otherwise: Schema.optionalKey(Price)
  }),
  Schema.Struct({
    kind: Schema.Literal("RANGE"),
    input: Name,
    rows: Schema.Array(Schema.Struct({ ...range, amount: Price }))
  }),
  Schema.Struct({
    kind: Schema.Literal("SHARE"),
    /** An integer, such as a sum insured or a turnover in minor units. */
    input: Name,
    rate: Fraction
  })
])
export type Base = typeof Base.Type

/**
 * The net premium of a peril: base × factors × multiplying options, plus adding options, then at least
 * `min` and at most `max`, rounded once, half away from zero. Per asset where it says so; then each
 * asset's premium is rounded, or their sum, as `/rounding` says.
 */
export const PerilRating = Schema.Struct({
  per: Schema.Literals(["POLICY", "ASSET"]),
  base: Base,
  /** The factors that apply, by identifier, in the order in which an explanation tells them. */
  factors: Schema.Array(Name).check(Schema.isMaxLength(50)),
  min: Schema.optionalKey(Price),
  max: Schema.optionalKey(Price)
})
export type PerilRating = typeof PerilRating.Type

export const OptionValue = Schema.Struct({
  id: Name,
  name: Label,
  /** What it stands for in money: the limit, the deductible. */
  amount: Schema.optionalKey(Price),
  /** Multiplies the peril's price. */
  multiply: Schema.optionalKey(Rate),
  /** Is added to the peril's price, in minor units; negative for a discount. */
  add: Schema.optionalKey(Money)
})
export type OptionValue = typeof OptionValue.Type

export const PerilOption = Schema.Struct({
  id: Name,
  name: Label,
  kind: Schema.Literals(["LIMIT", "DEDUCTIBLE", "CHOICE"]),
  default: Name,
  values: Schema.Array(OptionValue).check(Schema.isMinLength(1))
})
export type PerilOption = typeof PerilOption.Type

/** How a premium is charged; absent `RECURRING`, and a stop gives back what is not used of it. */
export const premiumCharge = {
  chargeType: Schema.optionalKey(ChargeType),
  /** Repeats what is charged `ONE_TIME` in every term. */
  everyTerm: Schema.optionalKey(Schema.Boolean),
  /** `ONE_TIME` and `SPOT` charges stay anyway. */
  refundable: Schema.optionalKey(Schema.Boolean)
}

export const Peril = Schema.Struct({
  id: Name,
  name: Label,
  description: Schema.optionalKey(Schema.String),
  /** May be left out of a tier that has it, and added to one that does not. */
  optional: Schema.Boolean,
  options: Schema.Array(PerilOption).check(Schema.isMaxLength(50)),
  taxClass: Name,
  ...premiumCharge,
  /** There where the built-in engine prices, and only there. */
  rating: Schema.optionalKey(PerilRating)
})
export type Peril = typeof Peril.Type
