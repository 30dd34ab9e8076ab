/** A product for one vehicle, as far as cover goes by it. */
import type { CoverTerms, Exclusion } from "../../src/claims/CoverTerms.ts"
import { compileSelection } from "../../src/products/sale/Selected.ts"
import { AssetId } from "../../src/values/Ids.ts"

export const assetId = AssetId.make("asset_test_346789ABCDEFGHJKLMNPQ")

/** When the contract is to start. */
export const startDay = 3

const selectable = {
  defaultTier: "FULL",
  tiers: [{ id: "FULL", name: "Full", perils: ["RC", "DAMAGE", "THEFT"] }],
  perils: ["RC", "DAMAGE", "THEFT"].map((id) => ({
    id,
    name: id,
    optional: true,
    taxClass: "MOTOR",
    options: [
      {
        id: "OWN",
        name: "Franchise",
        kind: "DEDUCTIBLE" as const,
        default: "LOW",
        values: [
          { id: "LOW", name: "300 €", amount: 30_000 },
          { id: "HIGH", name: "600 €", amount: 60_000 }
        ]
      }
    ]
  }))
}

const select = compileSelection(selectable)

/**
 * `RC` goes on while cover is suspended, `THEFT` waits three days, `DAMAGE` excludes taxis. The second version
 * excludes private use instead.
 */
export const termsOf =
  (firstPayment: "GATE" | "NONE") =>
  ({ productVersion = "1" }: { readonly productVersion?: string }): CoverTerms => ({
    product: {
      version: productVersion,
      timeZone: "Europe/Paris",
      activation: { firstPayment, coverFrom: "START_DATE" },
      assets: { type: "VEHICLE", min: 1, max: 1 },
      fields: {
        policy: [],
        customer: [],
        asset: [
          {
            key: "usage",
            label: "Usage",
            type: "STRING",
            requiredFor: "NEVER",
            priced: true,
            example: "PRIVATE"
          }
        ]
      }
    },
    covered: (selection) => {
      const selected = select(selection?.tierId, selection?.perils)
      return "covered" in selected ? selected.covered : []
    },
    perilsOfType: ["RC", "DAMAGE", "THEFT"],
    perils: {
      RC: { coveredWhileSuspended: true },
      THEFT: { waiting: { amount: 3, unit: "DAY" } }
    },
    exclusions: [excluding(productVersion === "1" ? "TAXI" : "PRIVATE")],
    needsDecree: false
  })

const excluding = (usage: string): Exclusion => ({
  id: usage,
  label: `Usage ${usage}`,
  perils: ["DAMAGE"],
  reads: ["usage"],
  holds: (value) => value("usage") === usage
})
