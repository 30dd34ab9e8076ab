import { assert, describe, it } from "@effect/vitest"
import { fromEpochMillis } from "@quittance/domain/values/Instant"
import { Frequency } from "@quittance/domain/products/InvoicingConfig"
import { fromEpochDay, LocalDate, toEpochDay } from "@quittance/domain/values/LocalDate"
import { gridOf, periodsOfTerm, periodsBetween } from "../../src/periods/BillingCalendar.ts"
import { termOf } from "../../src/periods/Term.ts"
import { AnyAlignment, Day, int, Policy } from "../Drawn.ts"
import * as Model from "../Model.ts"

const day = (text: string): LocalDate => LocalDate.make(text)
const runs = { arbitrary: { runs: 400 } }

const starts = (
  rule: Parameters<typeof periodsOfTerm>[0],
  start: string,
  end: string
): ReadonlyArray<string> =>
  periodsOfTerm(rule, day(start), day(end)).map((period) => fromEpochDay(period.start))

const onStartDay = { kind: "START_DATE" } as const

describe("the grid", () => {
  it("returns to the 31st after short months (month-end-127)", () => {
    const rule = { frequency: "MONTHLY", alignment: onStartDay, anchorDay: 31 } as const
    assert.deepStrictEqual(starts(rule, "2017-01-31", "2017-05-31"), [
      "2017-01-31",
      "2017-02-28",
      "2017-03-31",
      "2017-04-30"
    ])
  })

  it("passes months shorter than the anchor day in every year (month-end-1567, month-end-1840)", () => {
    const monthly = { frequency: "MONTHLY", alignment: onStartDay } as const
    const winter = starts({ ...monthly, anchorDay: 31 }, "2022-12-31", "2023-12-31")
    assert.deepStrictEqual(winter.slice(0, 4), [
      "2022-12-31",
      "2023-01-31",
      "2023-02-28",
      "2023-03-31"
    ])
    const leap = starts({ ...monthly, anchorDay: 30 }, "2024-01-30", "2025-01-30")
    assert.deepStrictEqual(leap.slice(1, 3), ["2024-02-29", "2024-03-30"])
  })

  it("keeps 29 February over the years (leap-6173)", () => {
    const grid = gridOf(
      { frequency: "YEARLY", alignment: onStartDay, anchorDay: 29 },
      day("2024-02-29")
    )
    assert.deepStrictEqual(
      [0, 1, 2, 3, 4].map((k) => fromEpochDay(grid.at(k))),
      [
        day("2024-02-29"),
        day("2025-02-28"),
        day("2026-02-28"),
        day("2027-02-28"),
        day("2028-02-29")
      ]
    )
  })

  it("gives the second term the first start's day back", () => {
    const rule = { frequency: "MONTHLY", alignment: onStartDay, anchorDay: 29 } as const
    assert.deepStrictEqual(starts(rule, "2025-02-28", "2026-02-28").slice(0, 3), [
      "2025-02-28",
      "2025-03-29",
      "2025-04-29"
    ])
  })

  it("stays on its own day where terms of weeks have wandered off the first start's", () => {
    const rule = { frequency: "MONTHLY", alignment: onStartDay, anchorDay: 31 } as const
    assert.deepStrictEqual(starts(rule, "2026-01-29", "2027-01-28").slice(0, 3), [
      "2026-01-29",
      "2026-02-28",
      "2026-03-29"
    ])
  })

  it("finds the last grid date of a month without the anchor day (js-date-rollover-2071)", () => {
    const grid = gridOf(
      { frequency: "MONTHLY", alignment: { kind: "DAY_OF_MONTH", day: 31 }, anchorDay: 15 },
      day("2026-03-15")
    )
    assert.strictEqual(fromEpochDay(grid.at(0)), "2026-02-28")
  })

  it("measures a leading part by the whole period that it lies in (whole-period-denominator-6194)", () => {
    const rule = {
      frequency: "QUARTERLY",
      alignment: { kind: "DAY_OF_MONTH", day: 1 },
      anchorDay: 20
    } as const
    const [leading] = periodsBetween(
      gridOf(rule, day("2024-05-20")),
      toEpochDay(day("2024-05-20")),
      toEpochDay(day("2024-06-20"))
    )
    assert.deepStrictEqual([leading!.end - leading!.start, leading!.wholeDays], [31, 92])
  })

  it("makes a term shorter than its step one period, whatever day the grid passes", () => {
    const rule = {
      frequency: "QUARTERLY",
      alignment: { kind: "DAY_OF_MONTH", day: 1 },
      anchorDay: 20
    } as const
    assert.deepStrictEqual(starts(rule, "2026-01-20", "2026-04-19"), ["2026-01-20"])
    assert.deepStrictEqual(starts(rule, "2026-01-20", "2026-04-20"), ["2026-01-20", "2026-04-01"])
  })

  it.prop(
    "tiles any stretch without gap or overlap, each part within one whole period",
    [Frequency, AnyAlignment, Day, int(1, 31), int(1, 1500)],
    ([frequency, alignment, start, anchorDay, length]) => {
      const first = toEpochDay(start)
      const grid = gridOf({ frequency, alignment, anchorDay }, start)
      assert.isTrue(grid.at(0) <= first && first < grid.at(1))
      const periods = periodsBetween(grid, first, first + length)
      assert.strictEqual(periods[0]!.start, first)
      assert.strictEqual(periods.at(-1)!.end, first + length)
      for (const [index, { end, start: from, wholeDays }] of periods.entries()) {
        assert.isTrue(from < end)
        assert.isTrue(end - from <= wholeDays)
        if (index === 0) continue
        assert.strictEqual(from, periods[index - 1]!.end)
        // Only the first and the last can be part of a period.
        if (index < periods.length - 1) assert.strictEqual(end - from, wholeDays)
      }
    },
    runs
  )

  it.prop(
    "lays the periods of each term of a policy as the model does, in every zone",
    [Policy, int(1, 3)],
    ([{ invoicing, rule, settings }, number]) => {
      const term = termOf(rule, number)
      const gridRule = {
        frequency: invoicing.frequency,
        alignment: settings.alignment,
        anchorDay: term.anchorDay
      }
      const periods = periodsOfTerm(gridRule, term.start, term.end)
      const expected = Model.periodsOf({ ...gridRule, start: term.start, end: term.end })
      assert.deepStrictEqual(
        periods.map(({ end, start, wholeDays }) => [
          fromEpochDay(start),
          fromEpochDay(end),
          wholeDays
        ]),
        expected.map(({ end, start, wholeDays }) => [
          LocalDate.make(start),
          LocalDate.make(end),
          wholeDays
        ])
      )
    },
    runs
  )
})

describe("the terms of a policy", () => {
  it("anchors on the local day of the start, not on the day in UTC (dst-anchor-743, tz-phase-1923)", () => {
    const term = termOf(
      {
        startedAt: fromEpochMillis(Date.parse("2017-04-01T06:30:00Z")),
        periodDuration: { amount: 1, unit: "YEAR" },
        timeZone: "America/Los_Angeles"
      },
      1
    )
    assert.deepStrictEqual([term.start, term.end, term.anchorDay], ["2017-03-31", "2018-03-31", 31])
  })

  it.prop(
    "follow one another without gap or overlap, unless they are shorter than a day",
    [Policy, int(1, 6)],
    ([{ rule }, number]) => {
      const [one, next] = [termOf(rule, number), termOf(rule, number + 1)]
      assert.isTrue(one.start < one.end)
      if (!one.subDay) assert.strictEqual(one.end, next.start)
    },
    runs
  )
})
