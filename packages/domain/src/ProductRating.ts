/** How a product's document says what a peril costs, and what fees and taxes come on top. */
import { Schema } from "effect"
import { ChargeType, Money } from "./Amount.ts"
import { CustomFieldValue } from "./CustomField.ts"
import { LocalDate } from "./LocalDate.ts"
import { FieldKey } from "./ProductFields.ts"

/** What a document calls a peril, a role, a tax; it stands in paths, so it has no slash. */
export const Name = Schema.String.check(
  Schema.isPattern(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/u, {
    message: "Expected a name: a letter, then at most 63 letters, digits, `_` and `-`"
  })
)

const Label = Schema.NonEmptyString
const Names = Schema.Array(Name).check(Schema.isMinLength(1))

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
  /** Of a customer: the first of these roles that anybody holds. */
  roles: Schema.optionalKey(Names),
  /** Bounds, inclusive, of a number; what lies outside them is not priced. */
  min: Schema.optionalKey(Schema.Finite),
  max: Schema.optionalKey(Schema.Finite),
  /** Stands in where there is no value. */
  default: Schema.optionalKey(CustomFieldValue)
}

/**
 * A custom field as it is, or the age that a `DATE` field gives, in completed years on the local day
 * on which the priced period starts. For someone born on 29 February a year is completed on 1 March
 * where there is no 29th.
 *
 * Where several customers hold the role each is rated, and the dearest counts.
 */
export const FieldInput = Schema.Struct({
  ...ratingInput,
  key: FieldKey,
  as: Schema.Literals(["VALUE", "AGE"])
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
 * `min` and at most `max`, rounded once, half away from zero. Per asset where it says so; the assets'
 * premiums are rounded each and summed.
 */
export const PerilRating = Schema.Struct({
  per: Schema.Literals(["POLICY", "ASSET"]),
  base: Base,
  /** The factors that apply, by identifier, in the order in which an explanation tells them. */
  factors: Schema.Array(Name),
  min: Schema.optionalKey(Price),
  max: Schema.optionalKey(Price)
})
export type PerilRating = typeof PerilRating.Type

/** Whether a stop gives back what is not used; `ONE_TIME` and `SPOT` charges stay anyway. */
const refundable = { refundable: Schema.optionalKey(Schema.Boolean) }

/** How a charge on top of the net premium is levied; `everyTerm` repeats a `ONE_TIME` one. */
const levy = {
  chargeType: ChargeType,
  everyTerm: Schema.optionalKey(Schema.Boolean),
  ...refundable
}

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

export const Peril = Schema.Struct({
  id: Name,
  name: Label,
  description: Schema.optionalKey(Schema.String),
  /** May be left out of a tier that has it, and added to one that does not. */
  optional: Schema.Boolean,
  options: Schema.Array(PerilOption),
  taxClass: Name,
  ...refundable,
  /** There where the built-in engine prices, and only there. */
  rating: Schema.optionalKey(PerilRating)
})
export type Peril = typeof Peril.Type

/** What a charge comes to from a day on, until the next entry's day: a share, or an amount. */
export const DatedCharge = Schema.Struct({
  from: LocalDate,
  rate: Schema.optionalKey(Fraction),
  amount: Schema.optionalKey(Price)
}).check(
  Schema.makeFilter(({ amount, rate }) => (amount === undefined) !== (rate === undefined), {
    message: "Give either `rate` or `amount`."
  })
)
export type DatedCharge = typeof DatedCharge.Type

/**
 * In the order of their days; the one in force on the day the priced period starts applies. There where
 * the built-in engine prices, and only there.
 */
const dated = {
  charges: Schema.optionalKey(Schema.Array(DatedCharge).check(Schema.isMinLength(1)))
}

const special = {
  id: Name,
  name: Label,
  /** Those of them that are covered count; with none of them the component is not there. */
  of: Names,
  taxClass: Name,
  /** A rating input that is true or false: the component is there only where it is true. */
  when: Schema.optionalKey(Name),
  /** The first day of a priced period on which it is no longer given or levied. */
  until: Schema.optionalKey(LocalDate),
  ...refundable,
  ...dated
}

/**
 * A component on the summed net premiums of the named perils, in the order of the document:
 *
 * - `SHARE`: a surcharge of type `SPECIAL`, a share or an amount (CatNat);
 * - `DISCOUNT`: a promotion of type `SPECIAL`, at most all that discounts before it have left. Its
 *   perils are taxed as it is, so that their tax goes down with them;
 * - `MINIMUM`: what is missing to an amount, of type `PREMIUM`.
 */
export const Special = Schema.Struct({
  ...special,
  kind: Schema.Literals(["SHARE", "DISCOUNT", "MINIMUM"])
})
export type Special = typeof Special.Type

/** A fee of the policy, a component of its own: an amount, or a share of the net premium. */
export const PolicyFee = Schema.Struct({
  id: Name,
  name: Label,
  ...levy,
  /** Absent: outside the tax base. */
  taxClass: Schema.optionalKey(Name),
  ...dated
})
export type PolicyFee = typeof PolicyFee.Type

/** How the brokerage firms' fees appear; the policy says who takes which percentage. */
export const BrokerageFeeTerms = Schema.Struct({
  id: Name,
  name: Label,
  ...levy,
  /** Absent: outside the tax base, as in France (art. 991 CGI taxes sums due to the insurer). */
  taxClass: Schema.optionalKey(Name)
})

/** A tax on the components of the named classes, or on the policy as a component of its own. */
export const TaxTerms = Schema.Union([
  Schema.Struct({
    id: Name,
    name: Label,
    level: Schema.Literal("COMPONENT"),
    classes: Names,
    /** Absent: charged as the component that it is on. */
    chargeType: Schema.optionalKey(ChargeType),
    ...refundable,
    ...dated
  }),
  Schema.Struct({ id: Name, name: Label, level: Schema.Literal("POLICY"), ...levy, ...dated })
])
export type TaxTerms = typeof TaxTerms.Type
