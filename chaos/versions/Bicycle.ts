/** What is sold in these lives: a product small enough that a model says what it costs. */
import { Product } from "@quittance/domain/products/Product"
import { shippedProduct } from "@quittance/testing/ShippedProducts"
import { Schema } from "effect"
import * as People from "./People.ts"

const file = shippedProduct("bicycle-de")

const field = { requiredFor: "NEVER", priced: false } as const

/** A bicycle whose price is a share of `level`, and beside it a `memo` that anybody may write. */
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
    asset: [{ ...field, key: "colour", label: "Colour", type: "STRING", example: "red" }]
  },
  rating: {
    inputs: [{ id: "value", label: "Level", of: "POLICY", key: "level", as: "VALUE" }],
    factors: []
  },
  perils: file.perils.map((peril: object) => ({
    ...peril,
    rating: {
      per: "POLICY",
      base: { kind: "SHARE", input: "value", rate: "6/100" },
      factors: [],
      min: 2000
    }
  })),
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

/** What a level costs a year, tax included. */
export const priceOf = (level: number): number => {
  const net = Math.max(2000, Math.floor((level * 6) / 100 + 0.5))
  return net + Math.floor((net * 19) / 100 + 0.5)
}
