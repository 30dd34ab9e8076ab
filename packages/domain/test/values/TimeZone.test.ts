/// <reference lib="esnext.temporal" />
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { Duration } from "../../src/values/Duration.ts"
import { fromEpochMillis, type Instant, toEpochMillis } from "../../src/values/Instant.ts"
import { addDays, DateOutOfRange, fromEpochDay, LocalDate } from "../../src/values/LocalDate.ts"
import { localDate, plus, startOfDay, TimeZone } from "../../src/values/TimeZone.ts"

const day = (text: string): LocalDate => LocalDate.make(text)
const at = (text: string): Instant => fromEpochMillis(Date.parse(text))
const isTimeZone = Schema.is(TimeZone)

const Zone = Schema.Literals(["UTC", ...Intl.supportedValuesOf("timeZone")])
/** 1900 to 2099. */
const EpochDay = Schema.Int.check(Schema.isBetween({ minimum: -25_567, maximum: 47_481 }))
const MillisOfDay = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 86_399_999 }))

describe("TimeZone", () => {
  it("refuses what is no zone, offsets too", () => {
    for (const name of ["Europe/Atlantis", "Mars", "+01:00", "europe/paris", "", "Europe/Paris "])
      assert.isFalse(isTimeZone(name), name)
  })

  it("takes the zones of the IANA database", () => {
    for (const name of ["Europe/Paris", "UTC", "America/Argentina/Buenos_Aires", "Etc/GMT+5"])
      assert.isTrue(isTimeZone(name), name)
  })
})

describe("localDate", () => {
  it("stays in the calendar at both ends of time, wherever the zone lies", () => {
    const [first, last] = [at("0001-01-01T00:00:00.000Z"), at("9999-12-31T23:59:59.999Z")]
    for (const zone of Intl.supportedValuesOf("timeZone")) {
      assert.strictEqual(localDate(first, zone), "0001-01-01", zone)
      assert.strictEqual(localDate(last, zone), "9999-12-31", zone)
    }
  })
})

describe("startOfDay", () => {
  it("is the change of the clock where that skips midnight", () => {
    const date = day("2018-11-04")
    assert.strictEqual(startOfDay(date, "America/Sao_Paulo"), "2018-11-04T03:00:00.000Z")
    assert.strictEqual(localDate(startOfDay(date, "America/Sao_Paulo"), "America/Sao_Paulo"), date)
  })

  it("is the next day's start where a zone skips the whole day", () => {
    assert.strictEqual(startOfDay(day("2011-12-30"), "Pacific/Apia"), "2011-12-30T10:00:00.000Z")
    assert.strictEqual(startOfDay(day("2011-12-31"), "Pacific/Apia"), "2011-12-30T10:00:00.000Z")
  })

  it("is the first midnight where the clock goes back over it", () => {
    assert.strictEqual(startOfDay(day("2018-11-04"), "America/Havana"), "2018-11-04T04:00:00.000Z")
  })

  it("starts days of 23 and of 25 hours", () => {
    const length = (text: string) =>
      (toEpochMillis(startOfDay(addDays(day(text), 1), "Europe/Paris")) -
        toEpochMillis(startOfDay(day(text), "Europe/Paris"))) /
      3_600_000
    assert.deepStrictEqual(["2026-03-29", "2026-10-25", "2026-06-01"].map(length), [23, 25, 24])
  })

  it.prop(
    "agrees with Temporal in every zone on days of two centuries",
    [Zone, EpochDay],
    ([zone, epochDay]) => {
      const date = fromEpochDay(epochDay)
      const start = Temporal.PlainDate.from(date).toZonedDateTime(zone)
      assert.strictEqual(toEpochMillis(startOfDay(date, zone)), start.epochMilliseconds)
    },
    { arbitrary: { runs: 2000 } }
  )

  it("agrees with Temporal around every change of every zone's clock since 1970", () => {
    for (const zone of Intl.supportedValuesOf("timeZone")) {
      let change = Temporal.Instant.from("1970-01-01T00:00Z")
        .toZonedDateTimeISO(zone)
        .getTimeZoneTransition("next")
      for (; change !== null && change.year < 2040; change = change.getTimeZoneTransition("next")) {
        for (const days of [-1, 0, 1]) {
          const date = change.toPlainDate().add({ days }).toString()
          const start = Temporal.PlainDate.from(date).toZonedDateTime(zone)
          assert.strictEqual(
            toEpochMillis(startOfDay(day(date), zone)),
            start.epochMilliseconds,
            `${zone} ${date}`
          )
        }
        for (const millis of [-1, 0, 1_799_000]) {
          const instant = change.add({ milliseconds: millis })
          assert.strictEqual(
            localDate(fromEpochMillis(instant.epochMilliseconds), zone),
            instant.toPlainDate().toString(),
            `${zone} ${instant.toString()}`
          )
        }
      }
    }
  })
})

describe("localDate", () => {
  it("keeps a local day apart from the day in UTC (dst-loop-445)", () => {
    assert.strictEqual(localDate(at("2015-12-01T08:09:02Z"), "America/Juneau"), "2015-11-30")
    assert.strictEqual(localDate(at("2015-10-01T08:09:02Z"), "America/Juneau"), "2015-10-01")
  })

  it.prop(
    "agrees with Temporal in every zone",
    [Zone, EpochDay, MillisOfDay],
    ([zone, epochDay, millisOfDay]) => {
      const millis = epochDay * 86_400_000 + millisOfDay
      const zoned = Temporal.Instant.fromEpochMilliseconds(millis).toZonedDateTimeISO(zone)
      assert.strictEqual(localDate(fromEpochMillis(millis), zone), zoned.toPlainDate().toString())
    },
    { arbitrary: { runs: 2000 } }
  )
})

describe("plus", () => {
  const months = (amount: number): Duration => ({ amount, unit: "MONTH" })

  it("does not leave the calendar", () => {
    const years: Duration = { amount: 1_000_000, unit: "YEAR" }
    assert.throws(() => plus(at("2026-01-01T00:00:00Z"), years, 1, "UTC"), DateOutOfRange)
    const hours: Duration = { amount: 1_000_000, unit: "HOUR" }
    assert.throws(() => plus(at("9990-01-01T00:00:00Z"), hours, 1, "UTC"), DateOutOfRange)
  })

  it("counts each term from the first start, so that month ends do not drift", () => {
    const start = at("2026-01-30T23:00:00Z")
    assert.deepStrictEqual(
      [1, 2, 3].map((times) =>
        localDate(plus(start, months(1), times, "Europe/Paris"), "Europe/Paris")
      ),
      [day("2026-02-28"), day("2026-03-31"), day("2026-04-30")]
    )
  })

  it("keeps the wall clock across a change, while hours stay exact (send-time-dst-12158)", () => {
    const sent = at("2026-08-05T10:00:00Z")
    assert.strictEqual(plus(sent, months(3), 1, "America/New_York"), "2026-11-05T11:00:00.000Z")
    const hours: Duration = { amount: 24 * 92, unit: "HOUR" }
    assert.strictEqual(plus(sent, hours, 1, "America/New_York"), "2026-11-05T10:00:00.000Z")
  })

  it("moves a wall clock that is skipped forward, and takes the first of two", () => {
    const oneDay: Duration = { amount: 1, unit: "DAY" }
    assert.strictEqual(
      plus(at("2026-03-28T01:30:00Z"), oneDay, 1, "Europe/Paris"),
      "2026-03-29T01:30:00.000Z"
    )
    assert.strictEqual(
      plus(at("2026-10-24T00:30:00Z"), oneDay, 1, "Europe/Paris"),
      "2026-10-25T00:30:00.000Z"
    )
  })

  it.prop(
    "agrees with Temporal for every unit in every zone",
    [
      Zone,
      EpochDay,
      MillisOfDay,
      Schema.Literals(["YEAR", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND"]),
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 40 })),
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 12 }))
    ],
    ([zone, epochDay, millisOfDay, unit, amount, times]) => {
      const millis = epochDay * 86_400_000 + millisOfDay
      const sum = Temporal.Instant.fromEpochMilliseconds(millis)
        .toZonedDateTimeISO(zone)
        .add({ [`${unit.toLowerCase()}s`]: amount * times })
      const result = plus(fromEpochMillis(millis), { amount, unit }, times, zone)
      assert.strictEqual(toEpochMillis(result), sum.epochMilliseconds)
    },
    { arbitrary: { runs: 2000 } }
  )
})
