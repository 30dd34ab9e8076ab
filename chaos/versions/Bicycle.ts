/** What is sold in these lives: a product small enough that a model says what it costs. */
import { Product } from "@quittance/domain/products/Product"
import { shippedProduct } from "@quittance/testing/ShippedProducts"
import { Schema } from "effect"
import * as Fleet from "./Fleet.ts"
import * as People from "./People.ts"

const file = shippedProduct("bicycle-de")

const field = { requiredFor: "NEVER", priced: false } as const

/**
 * Bicycles: a price that is a share of `level`, one of what each is worth, and a `memo` that any caller may
 * write.
 */
export const product = Schema.decodeUnknownSync(Product)({
  ...file,
  productId: "versions",
  fields: {
    policy: [
      { ...field, key: "memo", label: "Memo", type: "STRING", min: 1, max: 20, example: "a" },
      {
        ...file.fields.asset[0],
        key: "level",
        label: "Level",
        requiredFor: "QUOTE"
      }
    ],
    customer: [],
    asset: [
      file.fields.asset[0],
      { ...field, key: "colour", label: "Colour", type: "STRING", example: "red" }
    ]
  },
  assets: { ...file.assets, ...Fleet.limits },
  rating: {
    inputs: [
      { id: "level", label: "Level", of: "POLICY", key: "level", as: "VALUE" },
      { id: "value", label: "Value", of: "ASSET", key: "value", as: "VALUE" }
    ],
    factors: []
  },
  tiers: file.tiers.map((tier) => ({ ...tier, perils: ["LEVEL", "VALUE"] })),
  perils: [
    {
      ...file.perils[0],
      id: "LEVEL",
      rating: {
        per: "POLICY",
        base: { kind: "SHARE", input: "level", rate: "6/100" },
        factors: [],
        min: 2000
      }
    },
    {
      ...file.perils[0],
      id: "VALUE",
      rating: { per: "ASSET", base: { kind: "SHARE", input: "value", rate: "5/100" }, factors: [] }
    }
  ],
  dunning: { ...file.dunning, grace: { amount: 3000, unit: "DAY" }, firstPremium: "COVER" },
  quote: { validDays: 366 },
  reinstatement: { withinDays: 300 },
  limits: {
    start: { pastDays: 60, futureDays: 90 },
    change: { pastDays: 90, futureDays: 365 },
    stop: { pastDays: 90, futureDays: 365 }
  },
  customerRoles: [...file.customerRoles, People.role],
  trunkFields: { policy: ["memo"], customer: [], asset: [] }
})

/** What a level and the worth of each bicycle cost a year, tax included. */
export const priceOf = (level: number, worth: ReadonlyArray<number>): number => {
  const nets = [Math.max(2000, share(level, 6)), worth.reduce((sum, one) => sum + share(one, 5), 0)]
  return nets.reduce((sum, net) => sum + net + share(net, 19), 0)
}

const share = (amount: number, percent: number): number =>
  Math.floor((amount * percent) / 100 + 0.5)
