/** Fees and taxes: by day, by class and by place; and how each component is charged. */
import { assert, describe, it } from "@effect/vitest"
import type { ChargeType } from "@quittance/domain/values/Amount"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import type { Product } from "@quittance/domain/products/Product"
import { exampleOf } from "@quittance/domain/products/ProductExamples"
import type { FieldValues } from "@quittance/domain/products/ProductFields"
import { Result } from "effect"
import { compile } from "../src/Engine.ts"
import { explain } from "../src/Explain.ts"
import { read } from "../src/Publishable.ts"
import { definition, liability } from "./Shipped.ts"

const day = (text: string) => text as LocalDate

/** The liability product as a document that a test changes before it is checked. */
const changed = (change: (product: any) => void): unknown => {
  const copy = structuredClone(definition("liability-fr"))
  change(copy)
  return copy
}

const pointers = (change: (product: any) => void) => {
  const result = read(changed(change))
  return Result.isFailure(result) ? result.failure.faults.map(({ pointer }) => pointer) : []
}

const published = (change: (product: any) => void): Product =>
  Result.getOrThrow(read(changed(change)))

const priced = (product: Product, startDate: string, customFields: FieldValues = {}) => {
  const example = exampleOf(product)
  return Result.getOrThrow(
    compile(product).price({
      ...example,
      customFields: { ...example.customFields, ...customFields },
      startDate: day(startDate),
      tierId: "EXTENDED"
    })
  )
}

type Priced = ReturnType<typeof priced>

const component = ({ quote }: Priced, id: string) =>
  quote.components.find((component) => component.id === id)

const taxesOn = (price: Priced, id: string) =>
  component(price, id)!.premium.taxes.map(({ amount, id }) => [id, amount])

const net = (price: Priced, id: string) => component(price, id)!.premium.amountPreFeesAndTaxes

/** Sold from three countries, with what each of them levies. */
const abroad = (product: any) => {
  product.fields.policy.push({
    key: "country",
    label: "Pays du risque",
    type: "ENUM",
    values: ["FR", "BE", "MC"].map((id) => ({ id, label: id })),
    requiredFor: "QUOTE",
    priced: true,
    example: "FR"
  })
  product.rating.inputs.push({
    id: "country",
    label: "Pays du risque",
    of: "POLICY",
    key: "country",
    as: "VALUE"
  })
  const inFrance = { input: "country", in: ["FR", "MC"] }
  const inBelgium = { input: "country", in: ["BE"] }
  for (const tax of product.taxes) tax.where = inFrance
  const belgian = { level: "COMPONENT", where: inBelgium }
  product.taxes.push(
    {
      ...belgian,
      id: "TAX_BE",
      name: "Taxe belge",
      classes: ["LIABILITY", "LEGAL_PROTECTION"],
      charges: [
        { from: "2020-01-01", rate: "925/10000" },
        { from: "2027-01-01", rate: "96/1000" }
      ]
    },
    {
      id: "STAMP_BE",
      name: "Droit d'écriture",
      level: "POLICY",
      chargeType: "ONE_TIME",
      where: inBelgium,
      charges: [{ from: "2007-01-01", amount: 15 }]
    }
  )
  product.fees.push({
    id: "INAMI",
    name: "Cotisation",
    chargeType: "RECURRING",
    classes: ["LEGAL_PROTECTION"],
    where: inBelgium,
    charges: [{ from: "2020-01-01", rate: "1/10" }]
  })
}

describe("a rate that changes on a day", () => {
  const rates = (tax: { charges: Array<object> }) => {
    tax.charges.push({ from: "2027-01-01", rate: "12/100" })
  }
  const product = published(({ taxes }) => rates(taxes[0]))

  it("is the one of the day on which the priced period starts, and stands on the quote", () => {
    const [before, after] = [priced(product, "2026-12-31"), priced(product, "2027-01-01")]
    const base = net(before, "PROFESSIONAL_LIABILITY")
    assert.strictEqual(net(after, "PROFESSIONAL_LIABILITY"), base)
    for (const [price, hundredths] of [
      [before, 9],
      [after, 12]
    ] as const) {
      assert.deepStrictEqual(taxesOn(price, "PROFESSIONAL_LIABILITY"), [
        ["TSCA_9", Math.round((base * hundredths) / 100)]
      ])
      const used = price.quote.rates.find(({ id }) => id === "TSCA_9")
      assert.deepStrictEqual(used, {
        id: "TSCA_9",
        rate: hundredths * 100,
        inputs: [{ id: "share", value: `${hundredths}/100` }]
      })
    }
  })

  it("moves the price of the next term by that tax alone, though the risk stays as it was", () => {
    // A year later the company is a year older, and its age is beyond what the table tells apart.
    const [first, next] = [priced(product, "2026-03-01"), priced(product, "2027-03-01")]
    for (const { id, premium } of next.quote.components) {
      const was = component(first, id)!.premium
      assert.strictEqual(premium.amountPreFeesAndTaxes, was.amountPreFeesAndTaxes)
      const isLiability = id !== "LEGAL_PROTECTION"
      assert.strictEqual(premium.totalTaxes > was.totalTaxes, isLiability)
    }
  })

  it("is refused where it leaves a day without a rate, or out of order", () => {
    const at = "/taxes/0/charges"
    const withCharges = (...from: ReadonlyArray<string>) =>
      pointers(({ taxes }) => {
        taxes[0].charges = from.map((from) => ({ from, rate: "9/100" }))
      })
    assert.deepStrictEqual(withCharges("2020-01-02"), [`${at}/0/from`])
    assert.deepStrictEqual(withCharges("2020-01-01", "2027-01-01", "2026-01-01"), [`${at}/2/from`])
    assert.deepStrictEqual(withCharges("2020-01-01", "2020-01-01"), [`${at}/1/from`])
    assert.deepStrictEqual(withCharges("2019-06-01", "2027-01-01"), [])
  })
})

describe("fees and taxes of a country", () => {
  const product = published(abroad)

  it("are levied where the risk lies, by the table of that place and day", () => {
    const belgian = priced(product, "2026-12-31", { country: "BE" })
    const base = net(belgian, "PROFESSIONAL_LIABILITY")
    assert.deepStrictEqual(taxesOn(belgian, "PROFESSIONAL_LIABILITY"), [
      ["TAX_BE", Math.round((base * 925) / 10_000)]
    ])
    assert.strictEqual(component(belgian, "STAMP_BE")?.premium.totalTaxes, 15)
    const later = priced(product, "2027-01-01", { country: "BE" })
    assert.deepStrictEqual(taxesOn(later, "PROFESSIONAL_LIABILITY"), [
      ["TAX_BE", Math.round((base * 96) / 1000)]
    ])
    const french = priced(product, "2026-12-31", { country: "FR" })
    assert.deepStrictEqual(
      french.quote.components,
      priced(liability, "2026-12-31").quote.components
    )
    const monegasque = priced(product, "2026-12-31", { country: "MC" })
    assert.deepStrictEqual(monegasque.quote.components, french.quote.components)
  })

  it("tell by what they were found", () => {
    const used = priced(product, "2026-12-31", { country: "BE" }).quote.rates
    assert.deepStrictEqual(used.find(({ id }) => id === "TAX_BE")?.inputs, [
      { id: "share", value: "925/10000" },
      { id: "country", value: "BE" }
    ])
    assert.isUndefined(used.find(({ id }) => id === "TSCA_9"))
  })

  it("are levied on what the named classes cost, where they name some", () => {
    const belgian = priced(product, "2026-12-31", { country: "BE" })
    const fee = component(belgian, "INAMI")!
    assert.strictEqual(fee.type, "FEE")
    assert.strictEqual(fee.premium.totalFees, Math.round(net(belgian, "LEGAL_PROTECTION") / 10))
    const onPolicy = published((product) => {
      abroad(product)
      product.taxes[3].classes = ["LIABILITY"]
      product.taxes[3].charges = [{ from: "2007-01-01", rate: "1/100" }]
    })
    const stamped = priced(onPolicy, "2026-12-31", { country: "BE" })
    const liabilities = ["PROFESSIONAL_LIABILITY", "PUBLIC_LIABILITY"]
    const base = liabilities.reduce((sum, id) => sum + net(stamped, id), 0)
    assert.strictEqual(component(stamped, "STAMP_BE")!.premium.totalTaxes, Math.round(base / 100))
  })

  it("are refused where a class goes untaxed in some place", () => {
    const withoutMonaco = read(
      changed((product) => {
        abroad(product)
        product.taxes[0].where = { input: "country", in: ["FR"] }
      })
    )
    assert.deepStrictEqual(Result.isFailure(withoutMonaco) && withoutMonaco.failure.faults, [
      {
        pointer: "/perils/0/taxClass",
        message:
          "Add a tax of class LIABILITY where country is MC; one of 0/1 if it is exempt there."
      },
      {
        pointer: "/perils/1/taxClass",
        message:
          "Add a tax of class LIABILITY where country is MC; one of 0/1 if it is exempt there."
      }
    ])
    assert.deepStrictEqual(
      pointers((product) => {
        abroad(product)
        product.taxes[0].where = { input: "country", in: ["FR"] }
        product.taxes.push({
          ...product.taxes[0],
          id: "EXEMPT_MC",
          where: { input: "country", in: ["MC"] },
          charges: [{ from: "2000-01-01", rate: "0/1" }]
        })
      }),
      []
    )
  })

  it("are refused where they name no input of the policy with listed values, or none of these", () => {
    const where = (value: object) =>
      pointers((product) => {
        abroad(product)
        product.taxes[3].where = value
      })
    const at = "/taxes/3/where"
    assert.deepStrictEqual(where({ input: "planet", in: ["EARTH"] }), [`${at}/input`])
    assert.deepStrictEqual(where({ input: "turnover", in: [1] }), [`${at}/input`])
    assert.deepStrictEqual(where({ input: "country", in: ["BE", "NL", "BE"] }), [
      `${at}/in/2`,
      `${at}/in/1`
    ])
    assert.deepStrictEqual(where({ input: "country", in: [] }), [`${at}/in`])
    assert.deepStrictEqual(where({ input: "usaCanada", in: [true] }), [])
  })

  it("name classes that something has", () => {
    const classes = (names: ReadonlyArray<string>) =>
      pointers((product) => {
        abroad(product)
        product.fees[0].classes = names
      })
    assert.deepStrictEqual(classes(["LEGAL_PROTECTION", "BOATS"]), ["/fees/0/classes/1"])
    assert.deepStrictEqual(classes(["LIABILITY", "LIABILITY"]), ["/fees/0/classes/1"])
  })
})

describe("how a component is charged", () => {
  const special = (kind: string, more: object = {}) => ({
    id: "SPECIAL",
    name: "Special",
    kind,
    of: ["PROFESSIONAL_LIABILITY"],
    taxClass: "LIABILITY",
    charges: [{ from: "2020-01-01", amount: kind === "MINIMUM" ? 900_000 : 5_000 }],
    ...more
  })
  const premiumItem = (price: Priced, id: string) =>
    price.premiumItems.find((premiumItem) => premiumItem.id === id)

  for (const chargeType of [
    "ONE_TIME",
    "SPOT",
    "RECURRING"
  ] as const satisfies ReadonlyArray<ChargeType>) {
    it(`is ${chargeType} for a peril, a surcharge, a promotion, a least premium, a fee, a tax`, () => {
      for (const kind of ["SHARE", "DISCOUNT", "MINIMUM"]) {
        const product = published((product) => {
          product.perils[2].chargeType = chargeType
          product.specials.push(special(kind, { chargeType }))
          product.fees.push({
            id: "FEE",
            name: "Fee",
            chargeType,
            charges: [{ from: "2020-01-01", amount: 700 }]
          })
          product.taxes.push({
            id: "LEVY",
            name: "Levy",
            level: "POLICY",
            chargeType,
            charges: [{ from: "2020-01-01", amount: 100 }]
          })
        })
        const price = priced(product, "2026-01-01")
        for (const id of ["LEGAL_PROTECTION", "SPECIAL", "FEE", "LEVY"]) {
          assert.strictEqual(component(price, id)?.chargeType, chargeType)
        }
        for (const id of [
          "LEGAL_PROTECTION",
          "LEGAL_PROTECTION/tax/TSCA_13_4",
          "SPECIAL",
          "SPECIAL/tax/TSCA_9",
          "FEE/fee/FEE",
          "LEVY/tax/LEVY"
        ]) {
          assert.strictEqual(premiumItem(price, id)?.chargeType, chargeType, id)
        }
        assert.strictEqual(premiumItem(price, "PUBLIC_LIABILITY")?.chargeType, "RECURRING")
      }
    })
  }

  it("comes again in every term where it says so, which only what is ONE_TIME can", () => {
    const welcome = special("DISCOUNT", { chargeType: "ONE_TIME", everyTerm: true })
    const product = published(({ specials }) => specials.push(welcome))
    const price = priced(product, "2026-01-01")
    assert.deepInclude(premiumItem(price, "SPECIAL"), { amount: -5_000, everyTerm: true })
    assert.deepInclude(premiumItem(price, "SPECIAL/tax/TSCA_9"), { amount: -450, everyTerm: true })
    assert.deepStrictEqual(
      pointers(({ specials }) => specials.push({ ...welcome, chargeType: "SPOT" })),
      ["/specials/0/everyTerm"]
    )
    assert.deepStrictEqual(
      pointers(({ perils }) => Object.assign(perils[0], { everyTerm: true })),
      ["/perils/0/everyTerm"]
    )
  })
})

describe("a tax of a fixed amount", () => {
  it("is on each component of its class, but not on a promotion", () => {
    const product = published((product) => {
      product.taxes[0].charges = [{ from: "2020-01-01", amount: 120 }]
      for (const [index, kind] of ["SHARE", "DISCOUNT"].entries()) {
        product.specials.push({
          id: `SPECIAL_${index}`,
          name: "Special",
          kind,
          of: ["PROFESSIONAL_LIABILITY"],
          taxClass: "LIABILITY",
          charges: [{ from: "2020-01-01", rate: "1/10" }]
        })
      }
    })
    const price = priced(product, "2026-01-01")
    for (const id of ["PROFESSIONAL_LIABILITY", "PUBLIC_LIABILITY", "SPECIAL_0"]) {
      assert.deepStrictEqual(taxesOn(price, id), [["TSCA_9", 120]])
    }
    assert.deepStrictEqual(taxesOn(price, "SPECIAL_1"), [])
    assert.lengthOf(explain(product, price).components, price.quote.components.length)
  })
})
