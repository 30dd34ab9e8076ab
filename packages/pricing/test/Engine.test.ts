import type { QuoteComponent } from "@quittance/domain/values/Amount"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import { InvalidProduct, type Product } from "@quittance/domain/products/Product"
import { exampleOf } from "@quittance/domain/products/ProductExamples"
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { readFileSync } from "node:fs"
import { compile, type Priced } from "../src/Engine.ts"
import type { PriceInput, PricingFailure } from "../src/PriceInput.ts"
import { home, liability, motor, products } from "./Shipped.ts"
import type { BrokerageFirmId } from "@quittance/domain/values/Ids"

const day = (text: string) => text as LocalDate
const firm = "brokerage_firm_test_346789ABCDEFGHJKLMNPQ" as BrokerageFirmId

const example = (product: Product, change: Partial<PriceInput> = {}): PriceInput => ({
  startDate: day("2026-01-01"),
  ...exampleOf(product),
  ...change
})

const price = (product: Product, change: Partial<PriceInput> = {}): Priced => {
  const result = compile(product).price(example(product, change))
  if (Result.isFailure(result)) throw new Error(JSON.stringify(result.failure))
  return result.success
}

const failures = (product: Product, change: Partial<PriceInput>): ReadonlyArray<PricingFailure> => {
  const result = compile(product).price(example(product, change))
  return Result.isFailure(result) ? result.failure : []
}

const issues = (product: Product, change: Partial<PriceInput>) =>
  failures(product, change).flatMap((failure) =>
    failure._tag === "InvalidCustomField" ? failure.issues.map(({ path }) => path) : []
  )

const references = (product: Product, change: Partial<PriceInput>) =>
  failures(product, change).map((failure) =>
    failure._tag === "InvalidReference" ? [failure.field, failure.value] : [failure._tag]
  )

const motorCustomer = (values: object, role = "POLICYHOLDER") => ({
  role,
  customFields: { birthDate: "1988-04-12", licenceDate: "2007-06-20", ...values }
})

const motorAsset = (values: object) => ({
  customFields: { ...exampleOf(motor).assets[0]!.customFields, ...values }
})

const component = (priced: Priced, id: string): QuoteComponent | undefined =>
  priced.quote.components.find((component) => component.id === id)

const net = (priced: Priced, id: string) => component(priced, id)?.premium.amountPreFeesAndTaxes

describe("what stands in the way of a price", () => {
  it("is a document that publishing would refuse", () => {
    assert.throws(() => compile({ ...motor, defaultTier: "NONE" }), InvalidProduct)
  })

  it("is told all at once: fields, records, tier, fees", () => {
    const found = failures(motor, {
      tierId: "GOLD",
      startDate: day("2019-12-31"),
      customFields: { bonusMalus: 351, colour: "red" },
      customers: [],
      assets: [],
      brokerageFees: [
        { brokerageFirmId: firm, fee: 3 },
        { brokerageFirmId: firm, fee: 4 }
      ]
    })
    assert.deepStrictEqual(
      found.map(({ _tag }) => _tag),
      ["InvalidReference", "InvalidCustomField", "InvalidEffectiveDate", "InvalidReference"]
    )
    const [tier, fields, date, fee] = found
    assert.deepInclude(tier, { field: "tierId", value: "GOLD" })
    assert.deepStrictEqual(
      fields?._tag === "InvalidCustomField" && fields.issues.map(({ path }) => path),
      [
        "/customFields/colour",
        "/customFields/bonusMalus",
        "/customFields/claims",
        "/customFields/annualMileage",
        "/assets"
      ]
    )
    assert.strictEqual(
      date?._tag === "InvalidEffectiveDate" && `${date.field} ${date.earliest}`,
      "startedAt 2019-12-31T23:00:00.000Z"
    )
    assert.deepInclude(fee, { field: "brokerageFees/1/brokerageFirmId", value: firm })
  })

  it("is a customer that the rating needs", () => {
    assert.deepStrictEqual(issues(motor, { customers: [] }), ["/customers"])
    const payer = { role: "PAYER", customFields: {} }
    assert.deepStrictEqual(issues(motor, { customers: [payer] }), ["/customers"])
  })

  it("is a role that the product does not know", () => {
    const customers = [motorCustomer({}), motorCustomer({}, "PILOT")]
    assert.deepStrictEqual(issues(motor, { customers }), ["/customers/1/role"])
  })

  it("is a driver too young, or a date after the start", () => {
    const at = (values: object) => issues(motor, { customers: [motorCustomer(values)] })
    assert.deepStrictEqual(at({ birthDate: "2008-01-01" }), [])
    assert.deepStrictEqual(at({ birthDate: "2008-01-02" }), ["/customers/0/customFields/birthDate"])
    assert.deepStrictEqual(at({ licenceDate: "2026-01-01" }), [])
    assert.deepStrictEqual(at({ licenceDate: "2026-01-02" }), [
      "/customers/0/customFields/licenceDate"
    ])
  })

  it("is named by the record's identifier where it has one", () => {
    const customers = [{ ...motorCustomer({ birthDate: "today" }), id: "customer_x" }]
    const assets = [{ ...motorAsset({ power: 0 }), id: "asset_x" }]
    assert.deepStrictEqual(issues(motor, { customers, assets }), [
      "/customers/customer_x/customFields/birthDate",
      "/assets/asset_x/customFields/power"
    ])
  })

  it("is a choice that the product or the tier does not have", () => {
    const chosen = (...perils: NonNullable<PriceInput["perils"]>) =>
      references(motor, { tierId: "THIRD_PARTY", perils })
    assert.deepStrictEqual(chosen({ id: "HAIL" }), [["perils/0/id", "HAIL"]])
    assert.deepStrictEqual(chosen({ id: "RC", included: false }), [["perils/0/included", "false"]])
    assert.deepStrictEqual(chosen({ id: "DAMAGE", included: true }), [
      ["perils/0/included", "true"]
    ])
    assert.deepStrictEqual(chosen({ id: "RC" }, { id: "RC" }), [["perils/1/id", "RC"]])
    assert.deepStrictEqual(chosen({ id: "RC", options: { COLOUR: "RED" } }), [
      ["perils/0/options", "COLOUR"]
    ])
    assert.deepStrictEqual(chosen({ id: "ASSISTANCE", options: { DISTANCE: "KM_5" } }), [
      ["perils/0/options/DISTANCE", "KM_5"]
    ])
  })

  it("is an added component whose name is taken or whose totals are not sums", () => {
    const added: QuoteComponent = {
      id: "RC",
      type: "PREMIUM",
      chargeType: "RECURRING",
      premium: {
        amountPreFeesAndTaxes: 100,
        fees: [{ id: "F", chargeType: "RECURRING", amount: 5 }],
        totalFees: 6,
        amountWithFeesPreTaxes: 105,
        taxes: [],
        totalTaxes: 0,
        amountWithFeesAndTaxes: 105
      }
    }
    const found = failures(motor, { additionalQuoteComponents: added })
    assert.deepStrictEqual(
      found.map((failure) => "field" in failure && failure.field),
      ["additionalQuoteComponents/id", "additionalQuoteComponents/premium/totalFees"]
    )
    assert.deepInclude(found[1], { minimum: 5, maximum: 5 })
  })

  it("is an added component that cannot be told apart from others on an invoice", () => {
    const fee = { id: "F", chargeType: "RECURRING", amount: 5 } as const
    const added: QuoteComponent = {
      id: "A/B",
      type: "FEE",
      chargeType: "RECURRING",
      premium: {
        amountPreFeesAndTaxes: 0,
        fees: [fee, fee],
        totalFees: 10,
        amountWithFeesPreTaxes: 10,
        taxes: [],
        totalTaxes: 0,
        amountWithFeesAndTaxes: 10
      }
    }
    assert.deepStrictEqual(references(motor, { additionalQuoteComponents: added }), [
      ["additionalQuoteComponents/id", "A/B"],
      ["additionalQuoteComponents/premium", "A/B/fee/F"]
    ])
  })

  it("is more assets than the product covers", () => {
    assert.deepStrictEqual(issues(motor, { assets: [motorAsset({}), motorAsset({})] }), ["/assets"])
    assert.deepStrictEqual(issues(motor, { assets: [] }), ["/assets"])
  })

  it("is an amount beyond what money can be", () => {
    const most = Number.MAX_SAFE_INTEGER
    const added: QuoteComponent = {
      id: "EXTRA",
      type: "SPECIAL",
      chargeType: "RECURRING",
      premium: {
        amountPreFeesAndTaxes: most,
        fees: [],
        totalFees: 0,
        amountWithFeesPreTaxes: most,
        taxes: [],
        totalTaxes: 0,
        amountWithFeesAndTaxes: most
      }
    }
    assert.deepStrictEqual(
      failures(motor, { additionalQuoteComponents: added }).map(({ _tag }) => _tag),
      ["InvalidAmount"]
    )
  })
})

describe("shipped products", () => {
  for (const product of products) {
    it(`price the examples of ${product.productId} in every tier, the dearer the more it covers`, () => {
      const totals = compile(product)
        .tiers(example(product))
        .map(({ result }) => Result.getOrThrow(result).quote.totalPremium.amountWithFeesAndTaxes)
      assert.lengthOf(totals, product.tiers.length)
      assert.deepStrictEqual(
        totals,
        [...totals].sort((a, b) => a - b)
      )
      assert.isAbove(totals[0]!, 10_000)
      assert.isBelow(totals.at(-1)!, 250_000)
    })

    it(`price the examples of ${product.productId} on every day of the years it is sold`, () => {
      for (const startDate of [product.validFrom, "2024-02-29", "2024-06-30", "2035-12-31"]) {
        for (const { id } of product.tiers)
          price(product, { startDate: day(startDate), tierId: id })
      }
    })
  }

  it("has nine perils and three tiers in motor-fr", () => {
    assert.lengthOf(motor.perils, 9)
    assert.lengthOf(motor.tiers, 3)
  })

  it("multiplies by every bonus-malus coefficient of the clause, exactly", () => {
    const vectors = JSON.parse(
      readFileSync(new URL("./vectors/bonus-malus.json", import.meta.url), "utf8")
    ) as {
      readonly claimFreeSequence: ReadonlyArray<number>
      readonly cases: ReadonlyArray<{ readonly to: number }>
    }
    const coefficients = [...vectors.claimFreeSequence, ...vectors.cases.map(({ to }) => to)]
    assert.isAbove(coefficients.length, 20)
    for (const bonusMalus of coefficients) {
      const priced = price(motor, {
        customFields: { ...exampleOf(motor).customFields, bonusMalus },
        assets: [motorAsset({ power: 5, zone: "RURAL", usage: "COMMUTING" })]
      })
      // 265.00 € × 0.88 for a rural commune, every other factor ×1
      assert.strictEqual(
        net(priced, "RC"),
        Math.max(9_000, Math.round((23_320 * bonusMalus) / 100))
      )
      const used = priced.quote.rates.find(({ id }) => id === "BONUS_MALUS")
      assert.deepStrictEqual(used, {
        id: "BONUS_MALUS",
        rate: bonusMalus * 100,
        inputs: [{ id: "bonusMalus", value: bonusMalus }]
      })
    }
  })
})

describe("rating", () => {
  it("takes what a customer chose, else what the tier presets, else the option's default", () => {
    const limit = (tierId: string, value?: string) =>
      price(motor, {
        tierId,
        ...(value === undefined
          ? {}
          : { perils: [{ id: "DRIVER_INJURY", options: { LIMIT: value } }] })
      }).selectedTier.perils.find(({ id }) => id === "DRIVER_INJURY")
    assert.deepInclude(limit("THIRD_PARTY"), { limit: 50_000_000, option: { LIMIT: "EUR_500000" } })
    assert.deepInclude(limit("COMPREHENSIVE"), { limit: 100_000_000 })
    assert.deepInclude(limit("COMPREHENSIVE", "EUR_250000"), { limit: 25_000_000 })
    assert.strictEqual(limit("THIRD_PARTY")?.premium.amountPreFeesAndTaxes, 2_290)
    assert.strictEqual(limit("COMPREHENSIVE")?.premium.amountPreFeesAndTaxes, 2_863)
  })

  it("leaves out and adds what is optional, and the CatNat share follows", () => {
    const without = price(home, { perils: [{ id: "THEFT", included: false }] })
    assert.isUndefined(component(without, "THEFT"))
    const withIt = price(home)
    assert.isBelow(net(without, "CATNAT")!, net(withIt, "CATNAT")!)
    const added = price(home, { perils: [{ id: "LEGAL_PROTECTION", included: true }] })
    assert.strictEqual(net(added, "LEGAL_PROTECTION"), 980)
    assert.strictEqual(net(added, "CATNAT"), net(withIt, "CATNAT"))
  })

  it("has no CatNat where none of its perils is covered", () => {
    assert.isUndefined(component(price(motor, { tierId: "THIRD_PARTY" }), "CATNAT"))
    assert.isDefined(component(price(motor, { tierId: "THIRD_PARTY_PLUS" }), "CATNAT"))
  })

  it("takes the drivers before the policyholder, and of several the dearest", () => {
    const old = motorCustomer({})
    const novice = motorCustomer({ birthDate: "2006-05-05", licenceDate: "2025-06-01" })
    const rc = (...customers: ReadonlyArray<typeof old>) => net(price(motor, { customers }), "RC")!
    const driver = (customer: typeof old) => ({ ...customer, role: "DRIVER" })
    assert.strictEqual(rc(novice, driver(old)), rc(old))
    assert.strictEqual(rc(old, driver(old), driver(novice)), rc(novice))
    assert.isAbove(rc(novice), rc(old))
  })

  it("counts age in completed years, 29 February on 1 March", () => {
    const group = (birthDate: string, start: string) =>
      price(motor, {
        startDate: day(start),
        customers: [motorCustomer({ birthDate, licenceDate: "2020-01-01" })]
      }).quote.rates.find(({ id }) => id === "DRIVER_AGE")?.inputs[0]?.value
    assert.strictEqual(group("2000-03-01", "2026-02-28"), 25)
    assert.strictEqual(group("2000-03-01", "2026-03-01"), 26)
    assert.strictEqual(group("2000-02-29", "2026-02-28"), 25)
    assert.strictEqual(group("2000-02-29", "2026-03-01"), 26)
    assert.strictEqual(group("2000-02-29", "2028-02-29"), 28)
  })

  it("takes of a day its year, or the months completed, the 31st on the 1st where there is none", () => {
    const taken = (as: "AGE_IN_MONTHS" | "YEAR", licenceDate: string, startDate: string) => {
      const product: Product = {
        ...motor,
        rating: {
          ...motor.rating,
          inputs: motor.rating.inputs.map((input) =>
            input.id === "licenceYears" && input.as !== "EXPRESSION" ? { ...input, as } : input
          )
        }
      }
      const result = compile(product).price(
        example(product, {
          startDate: day(startDate),
          customers: [motorCustomer({ birthDate: "1980-01-01", licenceDate })]
        })
      )
      if (Result.isFailure(result)) return JSON.stringify(result.failure)
      return result.success.quote.rates.find(({ id }) => id === "NEW_DRIVER")?.inputs[0]?.value
    }
    assert.strictEqual(taken("AGE_IN_MONTHS", "2025-01-15", "2026-03-14"), 13)
    assert.strictEqual(taken("AGE_IN_MONTHS", "2025-01-15", "2026-03-15"), 14)
    assert.strictEqual(taken("AGE_IN_MONTHS", "2026-01-31", "2026-02-28"), 0)
    assert.strictEqual(taken("AGE_IN_MONTHS", "2026-01-31", "2026-03-01"), 1)
    assert.strictEqual(taken("AGE_IN_MONTHS", "2026-01-31", "2026-03-31"), 2)
    assert.strictEqual(taken("YEAR", "2007-12-31", "2026-01-01"), 2007)
    assert.match(String(taken("AGE_IN_MONTHS", "2026-03-02", "2026-03-01")), /not after the start/u)
  })

  it("uses the default where a field is hidden", () => {
    const dwelling = exampleOf(home).assets[0]!.customFields
    const { groundFloor: _hidden, ...others } = dwelling
    const house = { ...others, dwelling: "HOUSE" }
    assert.isDefined(net(price(home, { assets: [{ customFields: house }] }), "THEFT"))
    assert.deepStrictEqual(issues(home, { assets: [{ customFields: others }] }), [
      "/assets/0/customFields/groundFloor"
    ])
  })

  it("reads dated tables on the day the period starts", () => {
    const on = (startDate: string) => price(home, { startDate: day(startDate) })
    const fgti = (priced: Priced) => component(priced, "FGTI_TERRORISM")?.premium.totalTaxes
    assert.strictEqual(fgti(on("2024-06-30")), 590)
    assert.strictEqual(fgti(on("2024-07-01")), 650)
    const base = ["FIRE", "WATER_DAMAGE", "THEFT", "OCCUPIER_LIABILITY", "GLASS"]
    const covered = (priced: Priced) => base.reduce((sum, id) => sum + (net(priced, id) ?? 0), 0)
    const [old, now] = [on("2024-12-31"), on("2025-01-01")]
    assert.strictEqual(net(old, "CATNAT"), Math.round(covered(old) * 0.12))
    assert.strictEqual(net(now, "CATNAT"), Math.round(covered(now) * 0.2))
  })

  it("prices each asset of several and sums, each rounded by itself", () => {
    const fleet: Product = { ...motor, assets: { type: "VEHICLE", min: 1, max: 100 } }
    const values = [1_234_567, 777_777, 9_999_999]
    const assets = values.map((value) => motorAsset({ value }))
    const together = price(fleet, { assets, tierId: "COMPREHENSIVE" })
    for (const { id } of motor.perils) {
      const alone = assets.map((asset) =>
        net(price(motor, { assets: [asset], tierId: "COMPREHENSIVE" }), id)!
      )
      assert.strictEqual(
        net(together, id),
        alone.reduce((sum, one) => sum + one, 0)
      )
    }
    const parking = together.quote.rates.filter(({ id }) => id === "PARKING")
    assert.deepStrictEqual(
      parking.map(({ inputs }) => inputs[1]),
      [0, 1, 2].map((value) => ({ id: "asset", value }))
    )
    assert.lengthOf(
      together.quote.rates.filter(({ id }) => id === "BONUS_MALUS"),
      1
    )
  })
})

describe("fees and the premium items of a quote", () => {
  const second = "brokerage_firm_test_QPNMLKJHGFEDCBA987643" as BrokerageFirmId
  const brokerageFees = [
    { brokerageFirmId: firm, fee: 5 },
    { brokerageFirmId: second, fee: 0.1234 }
  ]

  it("levies each firm's percentage on the net premium, outside the tax base", () => {
    const priced = price(motor, { brokerageFees })
    const base = priced.quote.totalPremium.amountPreFeesAndTaxes
    const { fees, taxes } = component(priced, "BROKERAGE_FEE")!.premium
    assert.deepStrictEqual(
      fees.map(({ amount, brokerageFirmId }) => [brokerageFirmId, amount]),
      [
        [firm, Math.round(base * 0.05)],
        [second, Math.round((base * 1234) / 1_000_000)]
      ]
    )
    assert.deepStrictEqual(taxes, [])
    assert.strictEqual(
      price(motor).quote.totalPremium.totalTaxes,
      priced.quote.totalPremium.totalTaxes
    )
  })

  it("gives every premium item a stable name and says what comes again and what is given back", () => {
    const premiumItems = new Map(
      price(motor, { brokerageFees }).premiumItems.map((premiumItem) => [
        premiumItem.id,
        premiumItem
      ])
    )
    const flags = (id: string) => {
      const { chargeType, everyTerm, kind, refundable } = premiumItems.get(id)!
      return { kind, chargeType, everyTerm, refundable }
    }
    const recurring = { chargeType: "RECURRING", everyTerm: false, refundable: true }
    assert.deepStrictEqual(flags("RC"), { kind: "NET", ...recurring })
    assert.deepStrictEqual(flags("RC/tax/FGAO"), { kind: "TAX", ...recurring })
    assert.deepStrictEqual(flags(`BROKERAGE_FEE/fee/BROKERAGE_FEE/${second}`), {
      kind: "FEE",
      ...recurring,
      refundable: false
    })
    const once = { chargeType: "ONE_TIME", refundable: false }
    assert.deepStrictEqual(flags("POLICY_FEE/fee/POLICY_FEE"), {
      kind: "FEE",
      ...once,
      everyTerm: false
    })
    assert.deepStrictEqual(flags("FGTI_TERRORISM/tax/FGTI_TERRORISM"), {
      kind: "TAX",
      ...once,
      everyTerm: true
    })
    assert.isFalse(
      premiumItems.has("POLICY_FEE"),
      "a component that only carries a fee has no net premium item"
    )
  })

  it("keeps what is not given back: a tax that says so, and any tax on what is not", () => {
    const kept: Product = {
      ...motor,
      perils: motor.perils.map((peril) => ({ ...peril, refundable: peril.id !== "THEFT" })),
      taxes: motor.taxes.map((tax) => (tax.id === "FGAO" ? { ...tax, refundable: false } : tax))
    }
    const refunded = price(kept).premiumItems.filter(({ refundable }) => refundable)
    const ids = refunded.map(({ id }) => id)
    assert.includeMembers(ids, ["RC", "RC/tax/TSCA_33", "FIRE", "FIRE/tax/TSCA_18"])
    for (const id of ["RC/tax/FGAO", "THEFT", "THEFT/tax/TSCA_18"]) assert.notInclude(ids, id)
  })

  it("taxes a fee only where the product gives it a class", () => {
    const taxed: Product = {
      ...motor,
      fees: motor.fees.map((fee) => ({ ...fee, taxClass: "MOTOR_OTHER" }))
    }
    const { premium } = component(price(taxed), "POLICY_FEE")!
    assert.deepStrictEqual(premium.taxes, [{ id: "TSCA_18", chargeType: "ONE_TIME", amount: 270 }])
    assert.deepStrictEqual(component(price(motor), "POLICY_FEE")!.premium.taxes, [])
  })

  it("takes an added component as it is, and counts it for the brokers", () => {
    const added: QuoteComponent = {
      id: "EXTRA",
      type: "SPECIAL",
      chargeType: "RECURRING",
      premium: {
        amountPreFeesAndTaxes: -2_000,
        fees: [],
        totalFees: 0,
        amountWithFeesPreTaxes: -2_000,
        taxes: [{ id: "TSCA_18", chargeType: "RECURRING", amount: -360 }],
        totalTaxes: -360,
        amountWithFeesAndTaxes: -2_360
      }
    }
    const plain = price(liability, { brokerageFees })
    const priced = price(liability, { brokerageFees, additionalQuoteComponents: added })
    assert.deepStrictEqual(component(priced, "EXTRA"), added)
    const base = (one: Priced) => one.quote.totalPremium.amountPreFeesAndTaxes
    assert.strictEqual(base(priced), base(plain) - 2_000)
    assert.strictEqual(
      component(priced, "BROKERAGE_FEE")!.premium.fees[0]!.amount,
      Math.round(base(priced) * 0.05)
    )
  })
})
