/** How a product's document says what comes on top of the perils: specials, fees, taxes, rounding. */
import { Schema } from "effect"
import { ChargeType } from "../values/Amount.ts"
import { CustomFieldValue } from "../values/CustomField.ts"
import { LocalDate } from "../values/LocalDate.ts"
import { Fraction, Label, Name, Names, premiumCharge, Price } from "./ProductRating.ts"
import { BrokerageFirmId } from "../values/Ids.ts"

/** A percentage of the net premium, with at most four decimals. */
export const BrokerageFee = Schema.Struct({
  brokerageFirmId: BrokerageFirmId,
  fee: Schema.Finite.check(
    Schema.isBetween({ minimum: 0, maximum: 100 }),
    Schema.makeFilter((fee) => Number(fee.toFixed(4)) === fee, {
      message: "Expected at most four decimals"
    })
  )
}).annotate({ identifier: "BrokerageFee" })

export type BrokerageFee = typeof BrokerageFee.Type

/** How a charge on top of the net premium is levied; `everyTerm` repeats a `ONE_TIME` one. */
const levy = {
  ...premiumCharge,
  chargeType: ChargeType
}

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

/**
 * Levied only where an input of the policy has one of these values: a tax of one country, a fee of one
 * province. The input's values are listed, so that it can be checked that no class goes untaxed.
 */
export const Jurisdiction = Schema.Struct({
  input: Name,
  in: Schema.Array(CustomFieldValue).check(Schema.isMinLength(1))
})
export type Jurisdiction = typeof Jurisdiction.Type

/** Levied on the net premiums of the components of these classes; absent: of all. */
const base = { classes: Schema.optionalKey(Names) }

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
  ...premiumCharge,
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

/** A fee of the policy, a component of its own: an amount, or a share of net premiums. */
export const PolicyFee = Schema.Struct({
  id: Name,
  name: Label,
  ...levy,
  ...base,
  /** Absent: outside the tax base. */
  taxClass: Schema.optionalKey(Name),
  where: Schema.optionalKey(Jurisdiction),
  ...dated
})
export type PolicyFee = typeof PolicyFee.Type

/** How the brokerage firms' fees appear; the policy says who takes which percentage. */
export const BrokerageFeeTerms = Schema.Struct({
  id: Name,
  name: Label,
  ...levy,
  /** Absent: outside the tax base, as in France (art. 991 CGI taxes sums due to the insurer). */
  taxClass: Schema.optionalKey(Name),
  /** What a firm earns on a policy of its own that is opened without saying so. */
  firms: Schema.optionalKey(Schema.Array(BrokerageFee))
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
    refundable: premiumCharge.refundable,
    where: Schema.optionalKey(Jurisdiction),
    ...dated
  }),
  Schema.Struct({
    id: Name,
    name: Label,
    level: Schema.Literal("POLICY"),
    ...levy,
    ...base,
    where: Schema.optionalKey(Jurisdiction),
    ...dated
  })
])
export type TaxTerms = typeof TaxTerms.Type

/** Minor units to a multiple of which something is rounded: 1 the cent, 5 of Swiss francs, 100 a whole unit. */
const Step = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))

const to = { to: Schema.optionalKey(Step) }

/**
 * Where amounts are rounded, and to what: each once, half away from zero. What is absent is 1. Amounts
 * that the document gives, such as a fee of 12.00, stay as they are.
 */
export const Rounding = Schema.Struct({
  /** The net premium of a peril: of each `ASSET` that it is rated for, or of the whole `PERIL`. */
  premiums: Schema.optionalKey(
    Schema.Struct({ at: Schema.optionalKey(Schema.Literals(["ASSET", "PERIL"])), ...to })
  ),
  /** Each surcharge and promotion. */
  specials: Schema.optionalKey(Schema.Struct(to)),
  /** Each fee, and each brokerage firm's. */
  fees: Schema.optionalKey(Schema.Struct(to)),
  /** Each tax of each component, and each tax of the policy. */
  taxes: Schema.optionalKey(Schema.Struct(to))
})
export type Rounding = typeof Rounding.Type
