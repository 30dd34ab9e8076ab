import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { existsSync, readFileSync } from "node:fs"
import {
  afterYear,
  type BonusMalus,
  type InsuredYear,
  type MotorClaim,
  type Rise,
  riseOf
} from "../../src/claims/BonusMalus.ts"

const at = (coefficient: number, more: Partial<BonusMalus> = {}): BonusMalus => ({
  coefficient,
  yearsAtLowest: 0,
  yearsWithoutClaim: 0,
  ...more
})

const year = (rises: ReadonlyArray<Rise> = [], more: Partial<InsuredYear> = {}): InsuredYear => ({
  rises,
  use: "ORDINARY",
  isInterrupted: false,
  ...more
})

const claim = (more: Partial<MotorClaim>): MotorClaim => ({
  liability: 100,
  guarantees: ["LIABILITY"],
  ...more
})

/** Most years have no claim, so that the rules of several years in a row are met as well. */
const drawnRises: ReadonlyArray<ReadonlyArray<Rise>> = [
  ...Array.from({ length: 8 }, () => []),
  ["NONE"],
  ["WHOLE"],
  ["HALF", "NONE", "WHOLE"],
  ["WHOLE", "WHOLE", "HALF", "WHOLE"]
]
const between = (minimum: number, maximum: number) =>
  Schema.Int.check(Schema.isBetween({ minimum, maximum }))
const Years = Arbitrary.schema(
  Schema.Array(
    Schema.Struct({
      rises: between(0, drawnRises.length - 1),
      isRounds: Schema.Boolean,
      interruption: between(0, 5)
    })
  ).check(Schema.isMinLength(1), Schema.isMaxLength(30))
)
const Start = Arbitrary.schema(Schema.Union([between(50, 56), between(50, 350)]))

/**
 * The clause told once more, by its words: each year looks back at all years before it, and coefficients are decimals
 * that are cut as texts.
 */
const naive = (start: number, years: ReadonlyArray<InsuredYear>): number => {
  const cut = (value: bigint): bigint => BigInt(String(value).slice(0, -3) || "0")
  const coefficients = [BigInt(start)]
  const isFree = ({ rises }: InsuredYear) => rises.every((rise) => rise === "NONE")
  for (const [index, { isInterrupted, rises, use }] of years.entries()) {
    let coefficient = coefficients[index]!
    if (isFree(years[index]!)) {
      if (!isInterrupted) coefficient = cut(coefficient * (use === "ROUNDS" ? 930n : 950n))
      if (coefficient < 50n) coefficient = 50n
    }
    // The years before this one, the latest first, that had no claim, without those that do not count.
    const past = years.slice(0, index).reverse()
    const sinceClaim = past.findIndex((one) => !isFree(one))
    const free = past.slice(0, sinceClaim === -1 ? past.length : sinceClaim)
    const quiet = free.filter((one) => !one.isInterrupted).length
    const low = free.filter(
      (one, back) => !one.isInterrupted && coefficients[index - 1 - back] === 50n
    ).length
    let isGiven = coefficients[index] === 50n && low >= 3
    for (const rise of rises) {
      if (rise === "NONE") continue
      if (!isGiven) {
        const whole = use === "ROUNDS" ? 200n : 250n
        coefficient = cut(coefficient * (1000n + (rise === "HALF" ? whole / 2n : whole)))
      }
      isGiven = false
      if (coefficient > 350n) coefficient = 350n
    }
    if (isFree(years[index]!) && !isInterrupted && quiet >= 1 && coefficient > 100n) {
      coefficient = 100n
    }
    coefficients.push(coefficient)
  }
  return Number(coefficients.at(-1))
}

describe("bonus-malus (annex to art. A121-1)", () => {
  it("leaves out claims that the insured did not cause (art. 6)", () => {
    assert.strictEqual(riseOf(claim({ liability: 0 })), "NONE")
    assert.strictEqual(riseOf(claim({ leftOut: "FORCE_MAJEURE" })), "NONE")
    assert.strictEqual(riseOf(claim({ leftOut: "WITHOUT_KNOWLEDGE", liability: 50 })), "NONE")
  })

  it("leaves out theft, fire and glass, but only where nothing else is called on (art. 7)", () => {
    assert.strictEqual(riseOf(claim({ guarantees: ["THEFT"] })), "NONE")
    assert.strictEqual(riseOf(claim({ guarantees: ["GLASS", "FIRE"] })), "NONE")
    assert.strictEqual(riseOf(claim({ guarantees: ["GLASS", "DAMAGE"] })), "WHOLE")
    assert.strictEqual(riseOf(claim({ guarantees: [] })), "WHOLE")
  })

  it("halves the rise for any share between none and all (art. 5)", () => {
    for (const liability of [1, 50, 99]) assert.strictEqual(riseOf(claim({ liability })), "HALF")
  })

  it("cuts to hundredths at each step, never at the end alone", () => {
    // 0.59 × 1.125 is 0.66 after the cut, and × 1.125 again 0.74; 0.59 × 1.2656 would be 0.746.
    assert.strictEqual(afterYear(at(100), year(["WHOLE", "WHOLE", "WHOLE"])).coefficient, 195)
    assert.strictEqual(afterYear(at(59), year(["HALF", "HALF"])).coefficient, 74)
    assert.strictEqual(afterYear(at(99), year()).coefficient, 94)
  })

  it("takes nothing off after an interruption of more than three months, and keeps what was acquired (art. 9)", () => {
    const before = at(76, { yearsWithoutClaim: 1 })
    assert.deepStrictEqual(afterYear(before, year([], { isInterrupted: true })), before)
    assert.strictEqual(afterYear(before, year(["WHOLE"], { isInterrupted: true })).coefficient, 95)
  })

  it("gives the first claim after three years at 0.50, and the next one after three more alone (art. 4)", () => {
    const rested = at(50, { yearsAtLowest: 3, yearsWithoutClaim: 16 })
    assert.strictEqual(afterYear(at(50, { yearsAtLowest: 2 }), year(["WHOLE"])).coefficient, 62)
    assert.strictEqual(afterYear(rested, year(["WHOLE", "HALF"])).coefficient, 56)
    const spared = afterYear(rested, year(["WHOLE"]))
    assert.deepStrictEqual(spared, at(50))
    assert.strictEqual(afterYear(spared, year(["WHOLE"])).coefficient, 62)
    const again = [1, 2, 3].reduce((standing) => afterYear(standing, year()), spared)
    assert.strictEqual(afterYear(again, year(["WHOLE"])).coefficient, 50)
  })

  it("is at most 1.00 after two years in a row without a claim (art. 5)", () => {
    const first = afterYear(at(350), year())
    assert.strictEqual(first.coefficient, 332)
    assert.strictEqual(afterYear(first, year(["NONE"])).coefficient, 100)
    const broken = afterYear(afterYear(first, year(["HALF"])), year())
    assert.strictEqual(broken.coefficient, 332)
  })

  it.prop(
    "is what the words of the clause come to, over any years",
    [Start, Years],
    ([start, drawn]) => {
      const years = drawn.map(({ interruption, isRounds, rises }) =>
        year(drawnRises[rises], {
          isInterrupted: interruption === 0,
          use: isRounds ? "ROUNDS" : "ORDINARY"
        })
      )
      const end = years.reduce(afterYear, at(start))
      assert.strictEqual(end.coefficient, naive(start, years))
      assert.isTrue(end.coefficient >= 50 && end.coefficient <= 350)
    }
  )

  it.prop(
    "never rises without a claim, nor falls by one more",
    [Start, Years],
    ([start, drawn]) => {
      const years = drawn.map(({ rises }) => year(drawnRises[rises]))
      const before = years.reduce(afterYear, at(start))
      const { rises } = years[0]!
      assert.isAtMost(afterYear(before, year()).coefficient, before.coefficient)
      assert.isAtLeast(
        afterYear(before, year([...rises, "WHOLE"])).coefficient,
        afterYear(before, year(rises)).coefficient
      )
    }
  )

  const worked = ["../../../../../", "../../../../../../"]
    .map((root) => new URL(`${root}shared/vectors/bonus-malus.json`, import.meta.url))
    .find((file) => existsSync(file))

  it.runIf(worked !== undefined)("answers the worked cases beside the repository", () => {
    const { cases, claimFreeSequence } = JSON.parse(readFileSync(worked!, "utf8")) as {
      readonly claimFreeSequence: ReadonlyArray<number>
      readonly cases: ReadonlyArray<{
        readonly from: number
        readonly atFault?: number
        readonly partlyAtFault?: number
        readonly yearsAt50?: number
        readonly usage?: string
        readonly to: number
      }>
    }
    for (const { atFault = 0, from, partlyAtFault = 0, to, usage, yearsAt50 = 0 } of cases) {
      const rises = [
        ...Array.from({ length: atFault }, () => "WHOLE" as const),
        ...Array.from({ length: partlyAtFault }, () => "HALF" as const)
      ]
      const use = usage === undefined ? "ORDINARY" : "ROUNDS"
      const after = afterYear(at(from, { yearsAtLowest: yearsAt50 }), year(rises, { use }))
      assert.strictEqual(after.coefficient, to, JSON.stringify({ atFault, from, partlyAtFault }))
    }
    let standing = at(100)
    for (const coefficient of claimFreeSequence) {
      assert.strictEqual(standing.coefficient, coefficient)
      standing = afterYear(standing, year())
    }
  })
})
