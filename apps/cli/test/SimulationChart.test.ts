import { assert, describe, it } from "@effect/vitest"
import { histogram } from "@quittance/pricing/portfolio/ChangeHistogram"
import { Arbitrary, Effect, Schema } from "effect"
import { chart } from "../src/product/SimulationChart.ts"
import { placeOf, plotOf, ticksOf } from "../src/product/SimulationPlot.ts"
import { escape } from "../src/terminal/Svg.ts"
import { answerOf } from "./SimulationAnswers.ts"

const size = { width: 960, height: 540 }
const amount = (maximum: number) =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum })))
/** Policies that move by a little or a lot, and how often each is there. */
const drawn = {
  prices: Arbitrary.array(Arbitrary.all({ after: amount(300_000), count: amount(2_000) }), {
    maxLength: 12
  })
}
const pricesOf = (prices: ReadonlyArray<{ readonly after: number; readonly count: number }>) =>
  prices.flatMap(({ after, count }) =>
    Array.from({ length: count }, () => [50_000, after] as const)
  )

const tag = /<(\/?)([a-z]+)(?:\s[A-Za-z0-9-]+="[^"<>]*")*(\/?)>/gu

/** Whether every element that is opened is closed, in order, and no text has an open mark in it. */
const isWellFormed = (xml: string): boolean => {
  const open: Array<string> = []
  for (const [, closing, name = "", empty] of xml.matchAll(tag)) {
    if (empty === "/") continue
    if (closing !== "/") open.push(name)
    else if (open.pop() !== name) return false
  }
  return open.length === 0 && !/[<>]|&(?!amp;|lt;|gt;|quot;|#39;)/u.test(xml.replaceAll(tag, ""))
}

describe("the picture of a simulation", () => {
  it.effect.prop(
    "has every bar inside its frame, its ticks apart, and the median on a bar",
    drawn,
    ({ prices }) =>
      Effect.sync(() => {
        const { changes } = answerOf(pricesOf(prices))
        const bars = histogram(changes)
        if (bars.length === 0) return
        const plot = plotOf(bars, size)
        for (const { height, width, x, y } of plot.columns) {
          assert.isAtLeast(x, plot.left - 1e-9)
          assert.isAtMost(x + width, plot.right + 1e-9)
          // What is written above the highest bar has room below the highest line.
          assert.isAtLeast(y, plot.top + 10)
          assert.closeTo(y + height, plot.bottom, 1e-9)
        }
        const ticks = ticksOf(plot)
          .map(({ x }) => x)
          .sort((a, b) => a - b)
        assert.isTrue(ticks.every((x, index) => index === 0 || x - ticks[index - 1]! >= 48))
        const median = placeOf(plot, changes.quantile(50)!)
        assert.isAtLeast(median, plot.left)
        assert.isAtMost(median, plot.right + 1e-9)
      })
  )

  it.effect.prop("is well-formed, and the same each time", drawn, ({ prices }) =>
    Effect.sync(() => {
      const answer = answerOf(pricesOf(prices))
      const picture = chart(answer)
      assert.isTrue(isWellFormed(picture))
      assert.strictEqual(chart(answerOf(pricesOf(prices.toReversed()))), picture)
    })
  )

  it.effect.prop("takes no text for a mark", { text: Schema.String }, ({ text }) =>
    Effect.sync(() => assert.notMatch(escape(text), /[<>"']|&(?!amp;|lt;|gt;|quot;|#39;)/u))
  )

  it("escapes what people named", () => {
    const answer = answerOf([[100, 110]])
    const draft = { ...answer.draft, version: '"><script>alert(1)</script>\u0000' }
    const picture = chart({ ...answer, draft })
    assert.notInclude(picture, "<script")
    assert.isTrue(isWellFormed(picture))
  })

  it("needs nothing from anywhere", () => {
    const links = chart(answerOf([[100, 110]])).matchAll(/(?:https?:|url\(|href|@import)[^"]*/gu)
    assert.deepStrictEqual(
      [...links].map(([link]) => link),
      ["http://www.w3.org/2000/svg"]
    )
  })

  it("says that there is nothing to show", () => {
    assert.include(chart(answerOf([])), "No policy has a price under it.")
  })
})
