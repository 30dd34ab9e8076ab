import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { histogram } from "../src/portfolio/ChangeHistogram.ts"
import { TopN } from "../src/portfolio/TopN.ts"
import { mostBasisPoints, PriceChanges, relativeChange } from "../src/portfolio/PriceChanges.ts"
import { Draw } from "@quittance/testing/Draw"

const seed = { seed: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 31 - 1 })) }
const property = (name: string, check: (draw: Draw) => void) =>
  it.effect.prop(name, seed, ({ seed }) => Effect.sync(() => check(new Draw(seed))), {
    arbitrary: { runs: 200 }
  })

/** Prices of every kind: equal, close, far apart, nothing, below nothing, too large for a product. */
const price = (draw: Draw): number => {
  const size = draw.pick([0, 3, 1_000, 100_000, 10_000_000_000, Number.MAX_SAFE_INTEGER / 2])
  return draw.chance(0.1) ? -draw.int(0, size) : draw.int(0, size)
}

const drawn = (draw: Draw): ReadonlyArray<readonly [number, number]> => {
  const similar = draw.chance(0.5)
  return Array.from({ length: draw.int(0, 60) }, () => {
    if (!similar) return [price(draw), price(draw)]
    const before = draw.int(10_000, 90_000)
    return [before, draw.chance(0.2) ? before : Math.round((before * draw.int(95, 112)) / 100)]
  })
}

const counted = (prices: ReadonlyArray<readonly [number, number]>): PriceChanges => {
  const changes = new PriceChanges()
  for (const [before, after] of prices) changes.add(before, after)
  return changes
}

describe("a relative change", () => {
  property("has the sign of the difference, and the size of the exact quotient", (draw) => {
    const [before, after] = [price(draw), price(draw)]
    const change = relativeChange(before, after)
    assert.strictEqual(Math.sign(change), Math.sign(after - before))
    assert.isAtMost(Math.abs(change), mostBasisPoints)
    const inside = change !== 0 && Math.abs(change) !== 1 && Math.abs(change) < mostBasisPoints
    if (!inside) return
    const distance = BigInt(change) * BigInt(Math.abs(before)) - 10_000n * BigInt(after - before)
    assert.isTrue(2n * (distance < 0n ? -distance : distance) <= BigInt(Math.abs(before)))
  })

  it("tells the least move from none, and nothing at all from something", () => {
    assert.strictEqual(relativeChange(10_000_000, 10_000_001), 1)
    assert.strictEqual(relativeChange(10_000_000, 9_999_999), -1)
    assert.strictEqual(relativeChange(10_000, 10_150), 150)
    assert.strictEqual(relativeChange(0, 0), 0)
    assert.strictEqual(relativeChange(0, 1), mostBasisPoints)
  })
})

describe("changes of prices", () => {
  property("count every policy once, and sum to the cent", (draw) => {
    const prices = drawn(draw)
    const changes = counted(prices)
    assert.strictEqual(changes.count, prices.length)
    const sum = (index: 0 | 1) => prices.reduce((total, pair) => total + BigInt(pair[index]), 0n)
    assert.strictEqual(changes.totalBefore, sum(0))
    assert.strictEqual(changes.totalAfter, sum(1))
    assert.strictEqual(changes.rises, prices.filter(([before, after]) => after > before).length)
    assert.strictEqual(changes.falls, prices.filter(([before, after]) => after < before).length)
  })

  property("have the quantiles of their sorted list", (draw) => {
    const prices = drawn(draw)
    const sorted = prices.map(([b, a]) => relativeChange(b, a)).sort((a, b) => a - b)
    for (const percent of [0, 1, 5, 25, 50, 75, 95, 99, 100]) {
      const rank = Math.max(1, Math.ceil((sorted.length * percent) / 100))
      assert.strictEqual(counted(prices).quantile(percent), sorted[rank - 1])
    }
    const mean = sorted.reduce((sum, change) => sum + change, 0) / sorted.length
    if (sorted.length > 0) assert.closeTo(counted(prices).mean!, mean, 1e-6)
  })

  property("don't depend on the order in which they come", (draw) => {
    const prices = drawn(draw)
    assert.deepStrictEqual(histogram(counted(prices.toReversed())), histogram(counted(prices)))
  })
})

describe("the bars of a histogram", () => {
  property("hold every policy in just one, side by side from the lowest to the highest", (draw) => {
    const prices = drawn(draw)
    const bars = histogram(counted(prices), 12)
    assert.strictEqual(
      bars.reduce((sum, { count }) => sum + count, 0),
      prices.length
    )
    assert.isAtMost(bars.length, 12 * 1.5 + 3)
    for (const [index, { from }] of bars.entries()) {
      if (index > 0) assert.strictEqual(from, bars[index - 1]!.to)
    }
    const changes = prices.map(([before, after]) => relativeChange(before, after))
    for (const { count, from = -Infinity, kind, to = Infinity } of bars) {
      const inside = changes.filter((change) =>
        kind === "FALL"
          ? from <= change && change < to
          : kind === "RISE"
            ? from < change && change <= to
            : change === 0
      )
      assert.strictEqual(count, inside.length)
    }
  })

  it("are none without policies, and one where nothing moves", () => {
    assert.deepStrictEqual(histogram(counted([])), [])
    assert.deepStrictEqual(histogram(counted([[500, 500]])), [
      { kind: "UNCHANGED", from: 0, to: 0, count: 1 }
    ])
  })

  it("set one outlier apart instead of squeezing all others", () => {
    const prices = Array.from({ length: 200 }, (_, index) => [10_000, 10_000 + index * 5] as const)
    const bars = histogram(counted([...prices, [10_000, 90_000]]))
    assert.deepStrictEqual(bars.at(-1), { kind: "RISE", from: 1000, to: undefined, count: 1 })
    assert.isAbove(bars.length, 18)
  })
})

describe("the largest", () => {
  property("are those of the sorted list, and only they are made", (draw) => {
    const all = Array.from({ length: draw.int(0, 40) }, (_, index) => ({
      id: `policy-${String(index).padStart(2, "0")}`,
      difference: draw.int(-6, 6)
    }))
    const largest = new TopN<(typeof all)[number]>(5)
    for (const one of draw.chance(0.5) ? all : all.toReversed()) largest.offer(one, () => one)
    const sorted = all
      .filter(({ difference }) => difference !== 0)
      .sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference) || (a.id < b.id ? -1 : 1))
    assert.deepStrictEqual(largest.list, sorted.slice(0, 5))
  })

  it("make nothing of what is too small", () => {
    const largest = new TopN<{ readonly id: string; readonly difference: number }>(1)
    largest.offer({ id: "a", difference: -7 }, () => ({ id: "a", difference: -7 }))
    largest.offer({ id: "b", difference: 6 }, () => assert.fail("made in vain"))
  })
})
