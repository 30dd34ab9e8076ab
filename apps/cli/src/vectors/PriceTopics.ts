/** Topics of `packages/pricing`. */
import { Money, sum } from "@quittance/domain/values/Amount"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import { Fraction, Name } from "@quittance/domain/products/ProductRating"
import { type CompiledTax, compileCharges } from "@quittance/pricing/Charges"
import { tax } from "@quittance/pricing/Components"
import { everywhere } from "@quittance/pricing/Jurisdictions"
import { UsedRates } from "@quittance/pricing/UsedRates"
import { Schema } from "effect"
import { type Topic, topic } from "./Topic.ts"

/** A share of the net premium, or an amount whatever the premium. */
const LeviedTax = Schema.Struct({
  id: Schema.String,
  rate: Schema.optionalKey(Fraction),
  flat: Schema.optionalKey(Money)
})
const NetComponent = Schema.Struct({
  id: Schema.String,
  net: Money,
  taxes: Schema.Array(LeviedTax)
})

/** The cases name no day: their rates hold on every one. */
const day = LocalDate.make("2026-01-01")

const compiled = ({ flat = 0, id, rate }: typeof LeviedTax.Type): CompiledTax => {
  const charges = [rate === undefined ? { from: day, amount: flat } : { from: day, rate }]
  const terms = { id: Name.make(id), name: id, level: "COMPONENT", classes: ["ANY"] } as const
  return { tax: { ...terms, charges }, at: compileCharges(charges) }
}

const taxed = ({ id, net, taxes }: typeof NetComponent.Type) =>
  tax(
    {
      id,
      type: "PERIL",
      chargeType: "RECURRING",
      everyTerm: false,
      refundable: true,
      net,
      fees: [],
      taxClass: undefined
    },
    taxes.map(compiled),
    { day, length: undefined, rates: new UsedRates(), places: everywhere }
  ).component

export const priceTopics: ReadonlyArray<readonly [string, Topic]> = [
  [
    "premiums",
    topic(Schema.Struct({ components: Schema.Array(NetComponent) }), ({ components }) => {
      const priced = components.map(taxed)
      const total = sum(priced.map(({ premium }) => premium))
      return {
        components: priced.map(({ id, premium }) => ({
          id,
          taxes: premium.taxes.map(({ amount, id }) => ({ id, amount })),
          totalTaxes: premium.totalTaxes,
          amountWithFeesAndTaxes: premium.amountWithFeesAndTaxes
        })),
        totalPremium: {
          amountPreFeesAndTaxes: total.amountPreFeesAndTaxes,
          totalTaxes: total.totalTaxes,
          amountWithFeesAndTaxes: total.amountWithFeesAndTaxes
        }
      }
    })
  ]
]
