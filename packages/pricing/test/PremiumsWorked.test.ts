import type { Amount, QuoteComponent } from "@quittance/domain/values/Amount"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import type { Product } from "@quittance/domain/products/Product"
import { exampleOf } from "@quittance/domain/products/ProductExamples"
import type { Peril } from "@quittance/domain/products/ProductRating"
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { readFileSync } from "node:fs"
import { compile, type Priced } from "../src/Engine.ts"
import { home, liability, motor } from "./Shipped.ts"
import type { BrokerageFirmId } from "@quittance/domain/values/Ids"

/** A worked case: components with their taxes, and their sum. */
interface Case {
  readonly name: string
  readonly meta: { readonly country: string }
  readonly components: ReadonlyArray<
    QuoteComponent & {
      readonly everyTerm?: boolean
      readonly premium: {
        readonly taxes: ReadonlyArray<{ readonly id: string; readonly rate?: string }>
      }
    }
  >
  readonly totalPremium: Amount
}

const { cases } = JSON.parse(
  readFileSync(new URL("./vectors/premiums-worked.json", import.meta.url), "utf8")
) as { readonly cases: ReadonlyArray<Case> }

const startDate = "2026-01-01" as LocalDate

const net = ({ premium }: QuoteComponent) => premium.amountPreFeesAndTaxes
const isFee = (component: QuoteComponent, id: string) =>
  component.type === "FEE" && component.id === id

/** The firms and percentages that make the fees of the case; four decimals reach each of them. */
const brokerageFees = ({ components, totalPremium }: Case) =>
  components
    .filter((component) => isFee(component, "BROKERAGE_FEE"))
    .flatMap(({ premium }) => premium.fees)
    .map(({ amount, brokerageFirmId }) => ({
      brokerageFirmId: brokerageFirmId as BrokerageFirmId,
      fee: Math.round((amount * 1_000_000) / totalPremium.amountPreFeesAndTaxes) / 10_000
    }))

const priceOf = (product: Product, worked: Case): Priced => {
  const result = compile(product).price({
    startDate,
    ...exampleOf(product),
    tierId: "WORKED",
    brokerageFees: brokerageFees(worked)
  })
  if (Result.isFailure(result)) throw new Error(JSON.stringify(result.failure))
  return result.success
}

/** The product with the net premiums of the case for its perils, all of them in one tier. */
const withNets = (
  // Its rules on needs name perils and tiers that the case does not have.
  { needs: _needs, ...product }: Product,
  perils: ReadonlyArray<Peril>,
  worked: Case
): Product => ({
  ...product,
  tiers: [{ id: "WORKED", name: "Worked", perils: perils.map(({ id }) => id) }],
  defaultTier: "WORKED",
  billingAssignmentConfigs: [],
  perils: perils.map((peril) => ({
    ...peril,
    options: [],
    rating: {
      per: "POLICY",
      factors: [],
      base: { kind: "AMOUNT", amount: net(worked.components.find(({ id }) => id === peril.id)!) }
    }
  }))
})

const bare = ({ id, premium, type }: QuoteComponent) => ({
  id,
  type,
  premium: {
    ...premium,
    fees: premium.fees.map(({ amount, brokerageFirmId, chargeType, id }) => ({
      amount,
      brokerageFirmId,
      chargeType,
      id
    })),
    taxes: premium.taxes.map(({ amount, chargeType, id }) => ({ amount, chargeType, id }))
  }
})

const matches = (priced: Priced, worked: Case) => {
  assert.deepStrictEqual(priced.quote.components.map(bare), worked.components.map(bare))
  assert.deepStrictEqual(
    bare({ id: "", type: "PREMIUM", chargeType: "RECURRING", premium: priced.quote.totalPremium }),
    bare({ id: "", type: "PREMIUM", chargeType: "RECURRING", premium: worked.totalPremium })
  )
}

describe("shipped products match the worked premiums", () => {
  const named = [
    [motor, "FR motor, comprehensive, annual"],
    [home, "FR home multi-risk (tenant), annual"],
    [liability, "FR professional liability, annual"]
  ] as const
  for (const [product, name] of named) {
    const worked = cases.find((one) => one.name === name)!
    const perils = product.perils.filter(({ id }) => worked.components.some((one) => one.id === id))
    it(`${name}`, () => {
      const expected = worked.components.filter(({ type }) => type === "PERIL").map(({ id }) => id)
      assert.sameMembers(
        perils.map(({ id }) => id),
        expected
      )
      const inOrder = { ...worked, components: ordered(worked, product) }
      matches(priceOf(withNets(product, perils, worked), worked), {
        ...inOrder,
        totalPremium: { ...worked.totalPremium, taxes: taxesInOrder(worked, inOrder.components) }
      })
    })
  }
})

/** The perils in the product's order; the rest stays as the case has it. */
const ordered = (worked: Case, { perils }: Product) => [
  ...perils.flatMap(({ id }) => worked.components.filter((one) => one.id === id)),
  ...worked.components.filter(({ type }) => type !== "PERIL")
]

/** The case's totals by tax, in the order in which the components first have them. */
const taxesInOrder = (worked: Case, components: Case["components"]) =>
  [...new Set(components.flatMap(({ premium }) => premium.taxes.map(({ id }) => id)))].map((id) =>
    worked.totalPremium.taxes.find((tax) => tax.id === id)!
  )

/** A product that has exactly the components of the case, for cases of other countries too. */
const productOf = (worked: Case): Product => {
  const priced = worked.components.filter(({ type }) => type === "PERIL" || type === "SPECIAL")
  const ids = new Set(priced.flatMap(({ premium }) => premium.taxes.map(({ id }) => id)))
  return {
    ...home,
    fields: { policy: [], customer: [], asset: [] },
    trunkFields: { policy: [], customer: [], asset: [] },
    assets: { type: "NOTHING", min: 0, max: 0 },
    rating: { inputs: [], factors: [] },
    specials: [],
    tiers: [{ id: "WORKED", name: "Worked", perils: priced.map(({ id }) => id) }],
    defaultTier: "WORKED",
    billingAssignmentConfigs: [],
    perils: priced.map((component) => ({
      id: component.id,
      name: component.id,
      optional: false,
      options: [],
      taxClass: component.id,
      rating: { per: "POLICY", factors: [], base: { kind: "AMOUNT", amount: net(component) } }
    })),
    fees: [],
    taxes: [
      ...[...ids].map((id) => ({
        id,
        name: id,
        level: "COMPONENT" as const,
        classes: priced
          .filter(({ premium }) => premium.taxes.some((tax) => tax.id === id))
          .map((component) => component.id),
        charges: [
          {
            from: home.validFrom,
            rate: priced.flatMap(({ premium }) => premium.taxes).find((tax) => tax.id === id)!.rate!
          }
        ]
      })),
      ...worked.components
        .filter(({ type }) => type === "TAX")
        .map(({ chargeType, everyTerm, id, premium }) => ({
          id,
          name: id,
          level: "POLICY" as const,
          chargeType,
          ...(everyTerm === undefined ? {} : { everyTerm }),
          charges: [{ from: home.validFrom, amount: premium.totalTaxes }]
        }))
    ]
  }
}

describe("the engine matches the worked premiums of every country", () => {
  for (const worked of cases) {
    const onlyPrices = {
      ...worked,
      components: worked.components.filter(({ type }) => type !== "FEE")
    }
    it(`${worked.name}`, () => {
      const { quote } = priceOf(productOf(worked), { ...onlyPrices })
      assert.deepStrictEqual(
        quote.components.map(({ id, premium }) => [
          id,
          bare({ ...worked.components[0]!, premium }).premium
        ]),
        onlyPrices.components.map(({ id, premium }) => [
          id,
          bare({ ...worked.components[0]!, premium }).premium
        ])
      )
      assert.strictEqual(quote.totalPremium.totalTaxes, worked.totalPremium.totalTaxes)
    })
  }

  it("covers all cases of the file", () => {
    assert.isAtLeast(cases.length, 14)
    assert.isAtLeast(cases.filter(({ meta }) => meta.country === "FR").length, 4)
  })
})
