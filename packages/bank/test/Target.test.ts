import { assert, describe, it } from "@effect/vitest"
import { addDays, daysBetween, LocalDate, toEpochDay } from "@quittance/domain/values/LocalDate"
import { addTargetDays, firstOpen, isOpen } from "../src/Target.ts"
import { property } from "./Property.ts"

const day = (text: string) => LocalDate.make(text)

/** Easter Sundays as tables print them. */
const easters = [
  "1961-04-02",
  "1999-04-04",
  "2000-04-23",
  "2008-03-23",
  "2011-04-24",
  "2019-04-21",
  "2024-03-31",
  "2025-04-20",
  "2026-04-05",
  "2027-03-28",
  "2030-04-21",
  "2038-04-25",
  "2049-04-18",
  "2076-04-19",
  "2285-03-22"
]

describe("the calendar of TARGET", () => {
  it("is closed from Good Friday to Easter Monday", () => {
    for (const easter of easters.map(day)) {
      assert.strictEqual((((toEpochDay(easter) + 4) % 7) + 7) % 7, 0, easter)
      const around = [-3, -2, -1, 0, 1, 2].map((days) => isOpen(addDays(easter, days)))
      assert.deepStrictEqual(around, [true, false, false, false, false, true], easter)
    }
  })

  it("is open on national holidays, and closed on its own", () => {
    for (const open of ["2026-07-14", "2026-11-11", "2026-05-08", "2026-12-24", "2026-12-31"]) {
      assert.isTrue(isOpen(day(open)), open)
    }
    for (const closed of ["2026-01-01", "2026-05-01", "2026-12-25", "2029-12-26", "2026-11-28"]) {
      assert.isFalse(isOpen(day(closed)), closed)
    }
  })

  property("counts open days alone, in either direction", (draw) => {
    const from = day(draw.day(1999, 2060))
    const days = draw.int(1, 12)
    const to = addTargetDays(from, days)
    assert.isTrue(isOpen(to))
    const between = Array.from({ length: daysBetween(from, to) }, (_, index) =>
      addDays(from, index + 1)
    )
    assert.strictEqual(between.filter(isOpen).length, days)
    if (isOpen(from)) assert.strictEqual(addTargetDays(to, -days), from)
    const first = firstOpen(from)
    assert.strictEqual(first, isOpen(from) ? from : addTargetDays(from, 1))
  })
})
