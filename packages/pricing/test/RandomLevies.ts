/** What comes on top of the perils: specials, fees, taxes, and where they are rounded. */
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import type { Product } from "@quittance/domain/products/Product"
import type {
  DatedCharge,
  PolicyFee,
  Rounding,
  Special,
  TaxTerms
} from "@quittance/domain/products/ProductCharges"
import type { Peril } from "@quittance/domain/products/ProductRating"
import type { Draw } from "@quittance/testing/Draw"
import type { Known } from "./RandomFields.ts"
import { premiumCharge } from "./RandomTariff.ts"

const day = (text: string) => text as LocalDate

const charges = (draw: Draw): ReadonlyArray<DatedCharge> =>
  ["2019-01-01", "2024-07-01", "2030-01-01"]
    .slice(0, draw.int(1, 3))
    .map((from) =>
      draw.chance(0.7)
        ? { from: day(from), rate: `${draw.int(0, 350)}/1000` }
        : { from: day(from), amount: draw.int(0, 2_000) }
    )

/** The place of a levy, by an input of the policy whose values are listed. */
const somewhere = (draw: Draw, known: ReadonlyArray<Known>) => {
  const places = known.filter(
    ({ domain, input }) => input.of === "POLICY" && domain.kind === "LISTED"
  )
  if (places.length === 0 || draw.chance(0.3)) return {}
  const { domain, input } = draw.pick(places)
  const chosen = draw.some(domain.values)
  return { where: { input: input.id, in: chosen.length === 0 ? [domain.values[0]!] : chosen } }
}

const classes = (draw: Draw) =>
  draw.chance(0.3) ? { classes: draw.pick([["ONE"], ["TWO"], ["ONE", "TWO"]]) } : {}

export const randomTaxes = (draw: Draw, known: ReadonlyArray<Known>): ReadonlyArray<TaxTerms> => [
  {
    id: "TAX_1",
    name: "Tax 1",
    level: "COMPONENT",
    classes: ["ONE", "TWO"],
    charges: charges(draw)
  },
  {
    id: "TAX_2",
    name: "Tax 2",
    level: "COMPONENT",
    classes: ["TWO"],
    ...(draw.chance(0.5) ? { chargeType: draw.pick(["ONE_TIME", "RECURRING"] as const) } : {}),
    ...(draw.chance(0.5) ? { refundable: false } : {}),
    ...somewhere(draw, known),
    charges: charges(draw)
  },
  {
    id: "TAX_3",
    name: "Tax 3",
    level: "POLICY",
    chargeType: "ONE_TIME",
    everyTerm: draw.chance(0.5),
    ...classes(draw),
    ...(draw.chance(0.3) ? { refundable: false } : {}),
    ...(draw.chance(0.3) ? somewhere(draw, known) : {}),
    charges: charges(draw)
  }
]

export const randomFees = (draw: Draw, known: ReadonlyArray<Known>): ReadonlyArray<PolicyFee> =>
  Array.from({ length: draw.int(0, 2) }, (_, index) => ({
    id: `FEE_${index}`,
    name: `Fee ${index}`,
    chargeType: draw.pick(["ONE_TIME", "RECURRING", "SPOT"] as const),
    ...(draw.chance(0.5) ? { taxClass: "ONE" } : {}),
    ...classes(draw),
    ...(draw.chance(0.3) ? { refundable: false } : {}),
    ...(draw.chance(0.4) ? somewhere(draw, known) : {}),
    charges: charges(draw)
  }))

export const randomBrokerageFee = (draw: Draw): Product["brokerageFee"] => ({
  id: "BROKERAGE",
  name: "Brokerage",
  chargeType: draw.pick(["ONE_TIME", "RECURRING"] as const),
  ...(draw.chance(0.3) ? { taxClass: "TWO" } : {})
})

/** Surcharges, least premiums, and discounts on the perils of one class each. */
export const randomSpecials = (
  draw: Draw,
  perils: ReadonlyArray<Peril>,
  known: ReadonlyArray<Known>
): ReadonlyArray<Special> => {
  const conditions = known.filter(({ type }) => type === "BOOLEAN")
  return Array.from({ length: draw.int(0, 4) }, (_, index): Special => {
    const kind = draw.pick(["SHARE", "DISCOUNT", "MINIMUM"] as const)
    const taxClass = draw.pick(perils).taxClass
    const of = perils.filter((peril) => kind !== "DISCOUNT" || peril.taxClass === taxClass)
    const amount = draw.int(0, 90_000)
    return {
      id: `SPECIAL_${index}`,
      name: `Special ${index}`,
      kind,
      of: of.map(({ id }) => id),
      taxClass,
      ...premiumCharge(draw),
      ...(conditions.length > 0 && draw.chance(0.4)
        ? { when: draw.pick(conditions).input.id }
        : {}),
      ...(draw.chance(0.2) ? { until: day(`20${draw.int(21, 35)}-07-01`) } : {}),
      charges: [
        kind === "MINIMUM" || draw.chance(0.3)
          ? { from: day("2020-01-01"), amount }
          : { from: day("2020-01-01"), rate: `${draw.int(0, 999)}/999` }
      ]
    }
  })
}

export const randomRounding = (draw: Draw): Rounding | undefined => {
  if (draw.chance(0.5)) return undefined
  const to = () => (draw.chance(0.5) ? {} : { to: draw.pick([1, 5, 10, 100]) })
  return {
    premiums: {
      ...(draw.chance(0.6) ? { at: draw.pick(["ASSET", "PERIL"] as const) } : {}),
      ...to()
    },
    ...(draw.chance(0.5) ? { specials: to() } : {}),
    ...(draw.chance(0.5) ? { fees: to() } : {}),
    ...(draw.chance(0.5) ? { taxes: to() } : {})
  }
}
