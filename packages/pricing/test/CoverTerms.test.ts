import { assert, describe, it } from "@effect/vitest"
import type { InvalidProduct } from "@quittance/domain/products/Product"
import { Result } from "effect"
import { coverTerms } from "../src/CoverTerms.ts"
import { read } from "../src/Publishable.ts"
import { definition, whole } from "./Shipped.ts"

const { home, liability, motor } = whole

const withClaims = (claims: object) =>
  read({ ...(definition("motor-fr") as object), claims: { ...motor.claims, ...claims } })

const faultsOf = (claims: object) =>
  Result.match(withClaims(claims), {
    onSuccess: () => [],
    onFailure: ({ faults }: InvalidProduct) =>
      faults.map(({ message, pointer }) => `${pointer}: ${message}`)
  })

const exclusion = (expression: string) => ({
  exclusions: [{ id: "ONE", label: "One", expression }]
})

const reading = (values: Readonly<Record<string, boolean | number | string>>) => (name: string) =>
  values[name]!

describe("the terms on which a product covers losses", () => {
  it.each([
    [
      "bloodAlcool >= 50",
      "/claims/exclusions/0/expression: Name a fact of a loss type, or a field of the policy or of its assets, instead of `bloodAlcool` at character 1. Did you mean bloodAlcohol?"
    ],
    [
      "bloodAlcohol",
      "/claims/exclusions/0/expression: Write what makes BOOLEAN, or correct `type`; this makes INTEGER."
    ],
    [
      "keysLeft && narcotics",
      "/claims/exclusions/0/expression: Name facts of one loss type; none is asked for all of these."
    ]
  ])("refuse the exclusion %s", (expression, fault) => {
    assert.deepStrictEqual(faultsOf(exclusion(expression)), [fault])
  })

  it("let an exclusion read facts, fields of the asset and of the policy, and what every claim says", () => {
    const sound = `injuries && lossType == "COLLISION" && usage == "PRIVATE" && bonusMalus > 100 && narcotics`
    assert.deepStrictEqual(faultsOf(exclusion(sound)), [])
  })

  it("refuse a deadline that holds where a text is true, and a fact of two types", () => {
    const [first, ...others] = motor.claims!.deadlines
    assert.deepStrictEqual(faultsOf({ deadlines: [{ ...first, when: "lossType" }, ...others] }), [
      "/claims/deadlines/0/when: Write what makes BOOLEAN, or correct `type`; this makes STRING."
    ])
    const glass = motor.claims!.lossTypes[1]!
    const text = { ...motor.claims!.lossTypes[0]!.facts[1]!, type: "STRING", example: "no" }
    const lossTypes = motor.claims!.lossTypes.with(1, { ...glass, facts: [text as never] })
    assert.include(
      faultsOf({ lossTypes }),
      "/claims/lossTypes/1/facts/0/type: Write a type that makes BOOLEAN; narcotics is that elsewhere."
    )
  })

  it("refuse an exclusion of perils whose losses are not asked for what it reads", () => {
    const [fault] = faultsOf({
      exclusions: [{ id: "ONE", label: "One", perils: ["THEFT"], expression: "narcotics" }]
    })
    assert.strictEqual(
      fault,
      "/claims/exclusions/0/expression: Name facts of a loss type that has one of the exclusion's perils; none of those is asked for all of these."
    )
  })

  it("refuse a deadline that reads what a loss type of it is not asked for", () => {
    const [first, ...others] = motor.claims!.deadlines
    const reading = (when: string, lossTypes?: ReadonlyArray<string>) => {
      const { lossTypes: _, ...deadline } = first!
      const one = { ...deadline, when, ...(lossTypes === undefined ? {} : { lossTypes }) }
      return faultsOf({ deadlines: [one, ...others] })
    }
    assert.deepStrictEqual(reading("narcotics", ["COLLISION"]), [])
    assert.deepStrictEqual(reading("narcotics", ["COLLISION", "THEFT"]), [
      "/claims/deadlines/0/when: Ask for narcotics in each loss type of the deadline; not in THEFT so far."
    ])
    assert.lengthOf(reading("narcotics"), 1)
    assert.deepStrictEqual(reading("injuries"), [])
  })

  it("know the perils of each loss type, and of a product without any each peril as one", () => {
    assert.deepStrictEqual(coverTerms(motor)("THEFT").perilsOfType, ["THEFT"])
    assert.isUndefined(coverTerms(motor)("FLOOD").perilsOfType)
    const { claims: _, ...silent } = motor
    assert.deepStrictEqual(coverTerms(silent)("DAMAGE").perilsOfType, ["DAMAGE"])
    assert.isUndefined(coverTerms(silent)("COLLISION").perilsOfType)
  })

  it("leave out the exclusions whose facts a loss type is not asked for", () => {
    const ids = (lossType: string) => coverTerms(motor)(lossType).exclusions.map(({ id }) => id)
    assert.deepStrictEqual(ids("THEFT"), ["KEYS_LEFT"])
    assert.deepStrictEqual(ids("CATNAT"), [])
    assert.deepStrictEqual(ids("COLLISION"), ["ALCOHOL", "NARCOTICS", "UNLICENSED"])
  })

  it("hold an exclusion from its very bound on", () => {
    const alcohol = coverTerms(motor)("COLLISION").exclusions.find(({ id }) => id === "ALCOHOL")!
    assert.deepStrictEqual(alcohol.reads, ["bloodAlcohol"])
    assert.isFalse(alcohol.holds(reading({ bloodAlcohol: 49 })))
    assert.isTrue(alcohol.holds(reading({ bloodAlcohol: 50 })))
  })

  it("give each loss type its own time to declare, and others the one for all", () => {
    const within = (lossType: string) => {
      const { days, from, working } = coverTerms(home)(lossType).declareWithin!
      return [days, working, from]
    }
    assert.deepStrictEqual(within("WATER_DAMAGE"), [5, true, undefined])
    assert.deepStrictEqual(within("THEFT"), [2, true, undefined])
    assert.deepStrictEqual(within("CATNAT_SUBSIDENCE"), [30, false, "DECREE_PUBLISHED"])
  })

  it("cover the perils of the chosen tier, with what was chosen of them", () => {
    const { covered } = coverTerms(liability)("PROFESSIONAL")
    const amounts = covered({
      tierId: "STANDARD",
      perils: [{ id: "PROFESSIONAL_LIABILITY", options: { DEDUCTIBLE: "EUR_5000" } }]
    }).map(({ options, peril }) => [peril.id, ...options.map(({ value }) => value.amount)])
    assert.deepStrictEqual(amounts, [
      ["PROFESSIONAL_LIABILITY", 50_000_000, 500_000],
      ["PUBLIC_LIABILITY", 800_000_000]
    ])
    assert.deepStrictEqual(covered({ tierId: "GONE", perils: [] }), [])
  })

  it("check what needs no data where a product says nothing of claims", () => {
    const { claims: _, ...silent } = motor
    const terms = coverTerms(silent)("DAMAGE")
    assert.deepStrictEqual(terms.exclusions, [])
    assert.isUndefined(terms.declareWithin)
    assert.isFalse(terms.needsDecree)
  })
})
