import { AmountOverflow } from "@quittance/domain/values/Amount"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { parseFraction, plus, round, rounded, share, start, times } from "../src/Exact.ts"

const most = Number.MAX_SAFE_INTEGER
const int = Schema.Int.check(Schema.isBetween({ minimum: -most, maximum: most }))
const positive = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 999_999_999 }))
const runs = { arbitrary: { runs: 500 } }

describe("rounding", () => {
  it("refuses an amount outside ±(2^53−1)", () => {
    assert.throws(() => round(BigInt(most) + 1n, 1n), AmountOverflow)
    assert.throws(() => share(most, { numerator: 2, denominator: 1 }), AmountOverflow)
    assert.strictEqual(share(most, { numerator: 3, denominator: 3 }), most)
  })

  it("goes half away from zero, on both sides of it", () => {
    const half = { numerator: 1, denominator: 2 }
    assert.deepStrictEqual(
      [1, 3, -1, -3, 2, 0].map((amount) => share(amount, half)),
      [1, 2, -1, -2, 1, 0]
    )
    // 0.50 € × 9 % = 4.5 ct, 12.50 € × 13.4 % = 167.5 ct
    assert.strictEqual(share(50, parseFraction("9/100")), 5)
    assert.strictEqual(share(1250, parseFraction("134/1000")), 168)
  })

  it("never answers minus zero", () => {
    assert.isTrue(Object.is(share(-1, { numerator: 1, denominator: 1000 }), 0))
    assert.isTrue(Object.is(share(-5, { numerator: 0, denominator: 7 }), 0))
    assert.isTrue(Object.is(round(-1n, 1000n), 0))
  })

  it.effect.prop(
    "is less than or equal to half a unit off, ties away from zero",
    { amount: int, numerator: positive, denominator: positive },
    ({ amount, denominator, numerator }) =>
      Effect.sync(() => {
        const exact = BigInt(amount) * BigInt(numerator)
        const size = exact < 0n ? -exact : exact
        if (size / BigInt(denominator) >= BigInt(most)) return
        const result = BigInt(share(amount, { numerator, denominator }))
        const off = result * BigInt(denominator) - exact
        assert.isTrue(2n * (off < 0n ? -off : off) <= BigInt(denominator))
        // A tie lies on the side away from zero, so the result is never the smaller one.
        if (2n * off === BigInt(denominator)) assert.isTrue(exact > 0n)
        if (-2n * off === BigInt(denominator)) assert.isTrue(exact < 0n)
        assert.strictEqual(
          result,
          -BigInt(share(-amount, { numerator, denominator })),
          "a negative amount mirrors the positive one"
        )
      }),
    runs
  )

  it("happens once, however many rates there are", () => {
    // 0.01 × 0.5 × 0.5 × 4 is 0.01 exactly; rounded at each step it would be 0.04.
    const rates = [5_000, 5_000, 40_000]
    assert.strictEqual(rounded(rates.reduce(times, start(1))), 1)
    assert.strictEqual(rounded(plus(times(start(3), 5_000), 1)), 3)
  })
})
