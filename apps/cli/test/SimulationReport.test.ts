import { assert, describe, it } from "@effect/vitest"
import type { ExplanationStep } from "@quittance/domain/products/Quote"
import type { PricePart } from "@quittance/pricing/portfolio/Comparison"
import { Unpriced } from "@quittance/pricing/portfolio/Unpriced"
import { toJson } from "../src/product/SimulationAnswer.ts"
import { report } from "../src/product/SimulationReport.ts"
import { why } from "../src/product/SimulationWhy.ts"
import { answerOf, policyId } from "./SimulationAnswers.ts"

const step = (parts: Partial<ExplanationStep>): ExplanationStep => ({
  part: "NET",
  kind: "FACTOR",
  id: "ZONE",
  label: "Zone",
  inputs: [],
  change: 0,
  ...parts
})

const part = (change: number, parts: Partial<PricePart> = {}): PricePart => ({
  componentId: "RC",
  label: "Responsabilité civile",
  cause: "AMOUNT",
  change,
  ...parts
})

const euros = { currency: "EUR" }

describe("why a price moves", () => {
  it("shows of each reason what tells its sides apart", () => {
    const rows = why(
      [
        part(300, {
          before: step({ kind: "BASE", label: "Responsabilité civile", change: 26_500 }),
          after: step({ kind: "BASE", label: "Responsabilité civile", change: 26_800 })
        }),
        part(-200, { cause: "RATE", before: step({ rate: 10_800 }), after: step({ rate: 9_950 }) }),
        part(150, {
          cause: "RATE",
          before: step({ part: "TAX", rate: 3_300, inputs: [{ id: "share", value: "33/100" }] }),
          after: step({ part: "TAX", rate: 4_300, inputs: [{ id: "share", value: "43/100" }] })
        }),
        part(120, {
          cause: "INPUT",
          before: step({ inputs: [{ id: "zone", value: "CITY" }] }),
          after: step({ inputs: [{ id: "zone", value: "RURAL" }] })
        }),
        part(-90, { cause: "REMOVED" })
      ],
      euros
    )
    assert.deepStrictEqual(
      rows.map(({ after, because, before, change }) => [because, before, after, change]),
      [
        ["Responsabilité civile", "€265.00", "€268.00", 300],
        ["Responsabilité civile: Zone", "× 1.08", "× 0.995", -200],
        ["Responsabilité civile: Zone", "33/100", "43/100", 150],
        ["Responsabilité civile: Zone", "zone CITY", "zone RURAL", 120],
        ["Responsabilité civile: left out", "–", "–", -90]
      ]
    )
  })

  it("tells a factor of several components once, where it is the same in them", () => {
    const sides = { before: step({ rate: 6_800 }), after: step({ rate: 7_480 }) }
    const rows = why(
      [
        part(100, { cause: "RATE", ...sides }),
        part(40, { cause: "RATE", label: "Vol", ...sides }),
        part(7, {
          cause: "RATE",
          label: "Incendie",
          before: step({ rate: 9_000 }),
          after: step({})
        })
      ],
      euros
    )
    assert.deepStrictEqual(
      rows.map(({ because, change }) => [because, change]),
      [
        ["Zone, in 2 components", 140],
        ["Incendie: Zone", 7]
      ]
    )
  })

  it("puts what is levied together, and what is small, and loses no cent", () => {
    const parts = [
      ...Array.from({ length: 8 }, (_, index) => part(100 - index)),
      part(33, { cause: "BASE" }),
      part(7, { cause: "BASE" }),
      part(-1, { cause: "ROUNDING" })
    ]
    const rows = why(parts, euros)
    assert.deepStrictEqual(
      rows.slice(5).map(({ because, change }) => [because, change]),
      [
        ["Shares, discounts and taxes on what moved", 40],
        ["Everything else", 95 + 94 + 93 - 1]
      ]
    )
    assert.strictEqual(
      rows.reduce((sum, { change }) => sum + change, 0),
      parts.reduce((sum, { change }) => sum + change, 0)
    )
  })
})

/** With spaces that a line may break at. */
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/gu, " ")

describe("the report of a simulation", () => {
  const unpriced = new Unpriced()
  unpriced.add(policyId, [{ code: "INVALID_REFERENCE", at: "/tierId", message: "No such tier." }])
  const prices = [
    [10_000, 11_000],
    [20_000, 20_000],
    [40_000, 39_000]
  ] as const
  const answer = answerOf(prices, {
    count: 4,
    unpriced,
    largest: [
      {
        policyId,
        productVersion: "2026.1",
        before: 10_000,
        after: 11_000,
        parts: [part(1_000, { cause: "ADDED", label: "Vol" })]
      }
    ]
  })

  it("tells how many, how much, what has no price, and why", () => {
    const text = plain(report(answer, 100))
    for (const line of [
      /^motor-fr 2027\.1, a draft, on live policies of acme$/mu,
      /priced {4}3 of 4$/mu,
      /^All of them +€700\.00 +€700\.00 +€0\.00 +0\.00%$/mu,
      /^A policy, on average +€0\.00 +\+2\.50%$/mu,
      /^Rises 1 \(33\.3%\), falls 1 \(33\.3%\), unchanged 1 \(33\.3%\)$/mu,
      /^Change +-2\.50% +-2\.50% +-2\.50% +0\.00% +\+10\.00%/mu,
      /^unchanged +1 +█{40}$/mu,
      /^ {2}1 × INVALID_REFERENCE at \/tierId$/mu,
      /^1\. policy_test_346789ABCDEFGHJKLMNPQ, 2026\.1, \+10\.00%$/mu,
      /^Vol: added +– +– +\+€10\.00$/mu,
      /^Together +€100\.00 +€110\.00 +\+€10\.00$/mu
    ]) {
      assert.match(text, line)
    }
  })

  it("is JSON for machines, without a figure that is none", () => {
    const json = JSON.parse(JSON.stringify(toJson(answer)))
    assert.deepInclude(json, {
      productId: "motor-fr",
      version: "2027.1",
      count: 4,
      term: "RUNNING"
    })
    assert.deepInclude(json.priced, { count: 3, totalBefore: 70_000, meanDifference: 0 })
    assert.strictEqual(json.priced.quantiles["50"], 0)
    assert.strictEqual(json.unpriced.reasons[0].count, 1)
    assert.deepInclude(json.largest[0], { difference: 1_000, change: 1_000 })
    assert.notInclude(JSON.stringify(toJson(answerOf([]))), "null")
  })

  it("says little where there is nothing", () => {
    const text = report(answerOf([], { versions: new Map() }), 100)
    assert.include(text, "in force  no policy")
    assert.lengthOf(text.split("\n"), 5)
  })
})
