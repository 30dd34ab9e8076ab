import { assert, describe, it } from "@effect/vitest"
import { Frequency } from "@quittance/domain/products/InvoicingConfig"
import { fromEpochDay, type LocalDate, toEpochDay } from "@quittance/domain/values/LocalDate"
import { Arbitrary } from "effect"
import { type GridRule, periodsOfTerm } from "../../src/periods/BillingCalendar.ts"
import { amountsOf, costOfDays, costOfSlice, planOf } from "../../src/periods/Plan.ts"
import { slicesOf } from "../../src/periods/Slices.ts"
import { AnyAlignment, Day, int, Price } from "../Drawn.ts"
import * as Model from "../Model.ts"

const runs = { arbitrary: { runs: 200 } }

const drawnTerm = [Frequency, AnyAlignment, Day, int(1, 31), int(1, 1100), Price] as const
const Cuts = Arbitrary.array(Arbitrary.schema(int(-20, 1120)), { maxLength: 6 })

const planFor = (rule: GridRule, start: LocalDate, length: number) => {
  const from = toEpochDay(start)
  const end = fromEpochDay(from + length)
  return {
    from,
    end,
    plan: planOf(periodsOfTerm(rule, start, end)),
    model: () => Model.periodsOf({ ...rule, start, end })
  }
}

describe("costOfDays", () => {
  it("rounds halves away from zero, for credits as for charges", () => {
    assert.strictEqual(costOfDays(1, 15, 30), 1)
    assert.strictEqual(costOfDays(-1, 15, 30), -1)
    assert.strictEqual(costOfDays(1, 14, 30), 0)
    assert.isFalse(Object.is(costOfDays(-1, 14, 30), -0))
  })

  it("stays exact where products leave 2^53", () => {
    const amount = Number.MAX_SAFE_INTEGER
    assert.strictEqual(costOfDays(amount, 1, 3), Model.roundedPart(amount, 1, 3))
    assert.strictEqual(costOfDays(amount, 730, 731), Model.roundedPart(amount, 730, 731))
  })

  it.prop(
    "agrees with the model",
    [Price, int(0, 731), int(1, 731)],
    ([amount, days, more]) => {
      const of = days + more
      assert.strictEqual(costOfDays(amount, days, of), Model.roundedPart(amount, days, of))
    },
    { arbitrary: { runs: 1000 } }
  )
})

describe("the plan of a term", () => {
  it.prop(
    "is the model's, and sums to the price",
    [...drawnTerm],
    ([frequency, alignment, start, anchorDay, length, price]) => {
      const { model, plan } = planFor({ frequency, alignment, anchorDay }, start, length)
      const amounts = amountsOf(plan, price)
      assert.deepStrictEqual(amounts, Model.amountsOf(model(), price))
      assert.strictEqual(
        amounts.reduce((sum, amount) => sum + BigInt(amount), 0n),
        BigInt(price)
      )
    },
    runs
  )

  it.prop(
    "mirrors a negative price",
    [...drawnTerm],
    ([frequency, alignment, start, anchorDay, length, price]) => {
      const { plan } = planFor({ frequency, alignment, anchorDay }, start, length)
      assert.deepStrictEqual(
        amountsOf(plan, 0 - price),
        amountsOf(plan, price).map((amount) => 0 - amount)
      )
    },
    runs
  )

  it.prop(
    "costs over any slicing what its days cost in the model, and sums to the price",
    [...drawnTerm, Cuts],
    ([frequency, alignment, start, anchorDay, length, price, cuts]) => {
      const { from, model, plan } = planFor({ frequency, alignment, anchorDay }, start, length)
      const amounts = amountsOf(plan, price)
      const costs = Model.dayCosts(model(), price)
      const slices = slicesOf(
        plan.periods,
        cuts.map((cut) => from + cut)
      )
      let [at, total] = [from, 0n]
      for (const slice of slices) {
        assert.strictEqual(slice.start, at)
        assert.isTrue(slice.end > slice.start)
        const amount = costOfSlice(
          plan.periods[slice.period]!,
          amounts[slice.period]!,
          slice.start,
          slice.end
        )
        const days = Model.daysOf(fromEpochDay(slice.start), fromEpochDay(slice.end))
        assert.strictEqual(amount, Model.costOf(costs, days))
        total += BigInt(amount)
        at = slice.end
      }
      assert.strictEqual(at, from + length)
      assert.strictEqual(total, BigInt(price))
      for (const cut of cuts) {
        if (cut > 0 && cut < length)
          assert.isTrue(slices.some((slice) => slice.start === from + cut))
      }
    },
    runs
  )

  it.prop(
    "never moves an earlier slice when a later cut comes",
    [...drawnTerm, Cuts, int(1, 1100)],
    ([frequency, alignment, start, anchorDay, length, price, cuts, later]) => {
      const { from, plan } = planFor({ frequency, alignment, anchorDay }, start, length)
      const amounts = amountsOf(plan, price)
      const billed = (days: ReadonlyArray<number>) =>
        slicesOf(
          plan.periods,
          days.map((cut) => from + cut)
        )
          .filter(({ end }) => end <= from + later)
          .map(({ end, period, start: begin }) => [
            begin,
            end,
            costOfSlice(plan.periods[period]!, amounts[period]!, begin, end)
          ])
      const before = cuts.filter((cut) => cut < later)
      assert.deepStrictEqual(
        billed([...before, later]).slice(0, billed(before).length),
        billed(before)
      )
    },
    runs
  )
})
