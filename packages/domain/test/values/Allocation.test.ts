import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import {
  allocate,
  allocateExact,
  gcd,
  InvalidWeights,
  weightsOf
} from "../../src/values/Allocation.ts"

const Amount = Schema.Int.check(Schema.isBetween({ minimum: -10_000_000, maximum: 10_000_000 }))
const WideAmount = Schema.Int.check(
  Schema.isBetween({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })
)
const Weight = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1000 }))
const WideWeight = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 40 }))

const weightsFrom = (weight: typeof Weight) =>
  Arbitrary.array(Arbitrary.schema(weight), { minLength: 1, maxLength: 60 }).pipe(
    Arbitrary.filter((weights) => weights.some((each) => each > 0))
  )
const weights = weightsFrom(Weight)
const runs = { arbitrary: { runs: 500 } }

const sum = (parts: ReadonlyArray<number>) =>
  parts.reduce((total, part) => total + BigInt(part), 0n)

/** The rule word by word: whole parts first, then one unit each by the size of what was cut off. */
const byHand = (amount: number, shares: ReadonlyArray<number>): ReadonlyArray<number> => {
  const total = sum(shares)
  const size = BigInt(amount < 0 ? -amount : amount)
  const parts = shares.map((share) => (size * BigInt(share)) / total)
  const given = new Set<number>()
  while (parts.reduce((a, b) => a + b, 0n) < size) {
    let best = -1
    for (const [index, share] of shares.entries()) {
      const cutOff = (size * BigInt(share)) % total
      if (given.has(index)) continue
      if (best === -1 || cutOff > (size * BigInt(shares[best]!)) % total) best = index
    }
    given.add(best)
    parts[best]! += 1n
  }
  return parts.map((part) => (amount < 0 ? 0 - Number(part) : Number(part)))
}

describe("allocate", () => {
  it("refuses weights that share nothing", () => {
    for (const none of [[], [0], [0, 0, 0], [-1, 2], [0.5, 0.5], [Number.NaN], [Infinity]]) {
      assert.throws(() => allocate(100, none), InvalidWeights)
      assert.throws(() => allocate(0, none), InvalidWeights)
    }
    assert.throws(() => allocateExact(1n, [0n]), InvalidWeights)
    assert.throws(() => allocateExact(1n, [2n, -1n]), InvalidWeights)
  })

  it("gives equal remainders to the lowest index first", () => {
    assert.deepStrictEqual(allocate(101, [1, 1, 1]), [34, 34, 33])
    assert.deepStrictEqual(allocate(-101, [1, 1, 1]), [-34, -34, -33])
  })

  it("makes no negative zero", () => {
    for (const part of allocate(-1, [1, 1, 0])) assert.isFalse(Object.is(part, -0))
  })

  it("stays exact where products leave 2^53", () => {
    assert.deepStrictEqual(allocate(Number.MAX_SAFE_INTEGER, [1, 1]), [2 ** 52, 2 ** 52 - 1])
    const widest = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]
    assert.deepStrictEqual(allocate(3, widest), [2, 1])
  })

  it.prop(
    "follows the rule",
    [Amount, weights],
    ([amount, shares]) => {
      assert.deepStrictEqual(allocate(amount, shares), byHand(amount, shares))
    },
    runs
  )

  it.prop(
    "follows the rule with the widest amounts and weights",
    [WideAmount, weightsFrom(WideWeight)],
    ([amount, shares]) => {
      assert.deepStrictEqual(allocate(amount, shares), byHand(amount, shares))
    },
    runs
  )

  it.prop(
    "sums to the amount and is never more than one unit off an exact share",
    [WideAmount, weights],
    ([amount, shares]) => {
      const parts = allocate(amount, shares)
      assert.strictEqual(sum(parts), BigInt(amount))
      const total = sum(shares)
      for (const [index, part] of parts.entries()) {
        const off = BigInt(part) * total - BigInt(amount) * BigInt(shares[index]!)
        assert.isTrue(off < total && -off < total)
      }
    },
    runs
  )

  it.prop(
    "mirrors a negative amount",
    [Amount, weights],
    ([amount, shares]) => {
      assert.deepStrictEqual(
        allocate(-amount, shares),
        allocate(amount, shares).map((part) => 0 - part)
      )
    },
    runs
  )

  it.prop(
    "gives nothing to a weight of zero, and equal weights parts that differ by at most one",
    [Amount, weights],
    ([amount, shares]) => {
      const parts = allocate(amount, shares)
      for (const [i, weight] of shares.entries()) {
        if (weight === 0) assert.strictEqual(parts[i], 0)
        for (const [j, other] of shares.entries()) {
          if (weight !== other || i >= j) continue
          const ahead = amount < 0 ? parts[j]! - parts[i]! : parts[i]! - parts[j]!
          assert.isTrue(ahead === 0 || ahead === 1)
        }
      }
    },
    runs
  )

  it.prop(
    "permutes equal weights without changing the parts",
    [Amount, Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 60 })), Weight],
    ([amount, count, weight]) => {
      const shares = Array.from({ length: count }, () => weight + 1)
      const parts = allocate(amount, shares)
      assert.deepStrictEqual(parts, allocate(amount, [...shares].reverse()))
      assert.deepStrictEqual(
        parts,
        allocate(
          amount,
          shares.map(() => 1)
        )
      )
    },
    runs
  )
})

describe("weightsOf", () => {
  it("brings fractions over their least common denominator", () => {
    const fractions = [
      { numerator: 6, denominator: 31 },
      { numerator: 30, denominator: 30 },
      { numerator: 25, denominator: 30 }
    ]
    assert.deepStrictEqual(weightsOf(fractions), [180, 930, 775])
  })

  it("refuses what leaves the safe integers", () => {
    const primes = [999_999_937, 999_999_929]
    const fractions = primes.map((denominator) => ({ numerator: denominator - 1, denominator }))
    assert.throws(() => weightsOf(fractions), InvalidWeights)
  })

  it.prop(
    "keeps the proportions",
    [
      Arbitrary.array(
        Arbitrary.schema(
          Schema.Struct({
            numerator: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 366 })),
            denominator: Schema.Literals([7, 28, 29, 30, 31, 365, 366])
          })
        ),
        { minLength: 2, maxLength: 8 }
      )
    ],
    ([fractions]) => {
      const scaled = weightsOf(fractions)
      for (const [i, a] of fractions.entries()) {
        for (const [j, b] of fractions.entries()) {
          assert.strictEqual(
            BigInt(scaled[i]!) * BigInt(b.numerator) * BigInt(a.denominator),
            BigInt(scaled[j]!) * BigInt(a.numerator) * BigInt(b.denominator)
          )
        }
      }
    },
    runs
  )
})

describe("gcd", () => {
  it.prop(
    "divides both numbers and leaves them without a common factor",
    [WideWeight, WideWeight],
    ([a, b]) => {
      const divisor = gcd(a, b)
      if (divisor === 0) assert.deepStrictEqual([a, b], [0, 0])
      else assert.strictEqual(gcd(a / divisor, b / divisor), 1)
    },
    runs
  )
})
