/// <reference lib="esnext.temporal" />
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  addDays,
  addMonths,
  DateOutOfRange,
  dayOfMonth,
  daysBetween,
  fromEpochDay,
  LocalDate,
  max,
  min,
  monthLength,
  parse,
  toCivil,
  toEpochDay
} from "../../src/values/LocalDate.ts"

const day = (text: string): LocalDate => LocalDate.make(text)
const isLocalDate = Schema.is(LocalDate)

const firstDay = toEpochDay(day("0001-01-01"))
const lastDay = toEpochDay(day("9999-12-31"))
const EpochDay = Schema.Int.check(Schema.isBetween({ minimum: firstDay, maximum: lastDay }))
const NearDay = Schema.Int.check(Schema.isBetween({ minimum: -30_000, maximum: 60_000 }))

describe("LocalDate", () => {
  it("refuses days that do not exist", () => {
    for (const text of [
      "2026-02-29",
      "2026-02-30",
      "1900-02-29",
      "2026-04-31",
      "2026-13-01",
      "2026-00-10",
      "2026-01-00",
      "2026-01-32",
      "0000-01-01"
    ]) {
      assert.isFalse(isLocalDate(text), text)
      assert.isUndefined(parse(text), text)
    }
  })

  it("refuses other ways of writing a day", () => {
    for (const text of ["2026-1-1", "20260101", "2026-01-01T00:00", " 2026-01-01", "26-01-01", ""])
      assert.isFalse(isLocalDate(text), text)
    assert.isFalse(isLocalDate(20_260_101))
  })

  it("takes leap days where they exist", () => {
    for (const text of ["2024-02-29", "2000-02-29", "0004-02-29"])
      assert.strictEqual(parse(text), text)
  })

  it("does not leave the years 0001 to 9999", () => {
    assert.throws(() => addDays(day("9999-12-31"), 1), DateOutOfRange)
    assert.throws(() => addDays(day("0001-01-01"), -1), DateOutOfRange)
    assert.throws(() => addMonths(day("9999-12-01"), 1), DateOutOfRange)
  })

  it("counts a series from its anchor, so that it never drifts", () => {
    const anchor = day("2023-01-31")
    assert.deepStrictEqual(
      [1, 2, 3, 13].map((months) => addMonths(anchor, months)),
      [day("2023-02-28"), day("2023-03-31"), day("2023-04-30"), day("2024-02-29")]
    )
    assert.strictEqual(addMonths(day("2025-02-28"), 1, 31), "2025-03-31")
    assert.strictEqual(addMonths(day("2024-02-29"), -12), "2023-02-28")
  })

  it("orders as text does", () => {
    assert.strictEqual(min(day("0999-12-31"), day("1000-01-01")), "0999-12-31")
    assert.strictEqual(max(day("2026-09-30"), day("2026-10-01")), "2026-10-01")
  })

  it.prop(
    "reads and writes every day as Temporal does",
    [EpochDay],
    ([epochDay]) => {
      const date = fromEpochDay(epochDay)
      const plain = Temporal.PlainDate.from(date)
      assert.strictEqual(plain.toString(), date)
      assert.strictEqual(toEpochDay(date), epochDay)
      assert.deepStrictEqual(toCivil(date), {
        year: plain.year,
        month: plain.month,
        day: plain.day
      })
      assert.strictEqual(dayOfMonth(date), plain.day)
      assert.strictEqual(monthLength(plain.year, plain.month), plain.daysInMonth)
    },
    { arbitrary: { runs: 2000 } }
  )

  it.prop(
    "adds and counts days and months as Temporal does",
    [NearDay, NearDay, Schema.Int.check(Schema.isBetween({ minimum: -600, maximum: 600 }))],
    ([from, to, months]) => {
      const [start, end] = [fromEpochDay(from), fromEpochDay(to)]
      const plain = Temporal.PlainDate.from(start)
      assert.strictEqual(daysBetween(start, end), plain.until(end).days)
      assert.strictEqual(addDays(start, to - from), end)
      assert.strictEqual(addMonths(start, months), plain.add({ months }).toString())
      assert.strictEqual(start < end, from < to)
    },
    { arbitrary: { runs: 2000 } }
  )
})
