/// <reference lib="esnext.temporal" />
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { type ClaimFact, deadlineOf } from "../../src/claims/Deadlines.ts"
import { type ClaimFactKind, DeadlineRule } from "../../src/products/claims/DeadlineRule.ts"
import { type FrenchDeadline, frenchDeadlines } from "../../src/claims/FrenchDeadlines.ts"
import { addWorkingDays } from "../../src/claims/WorkingDays.ts"
import { addDays, daysBetween, LocalDate } from "../../src/values/LocalDate.ts"
import { fromEpochMillis, type Instant, parse } from "../../src/values/Instant.ts"
import { TimeZone } from "../../src/values/TimeZone.ts"

const paris = TimeZone.make("Europe/Paris")
const instant = (text: string): Instant => parse(text)!
const day = (text: string): LocalDate => LocalDate.make(text)
const never = instant("2099-01-01T00:00:00Z")

/** Facts at noon of days in Paris. */
const facts = (days: Partial<Record<ClaimFactKind, string>>): ReadonlyArray<ClaimFact> =>
  Object.entries(days).map(([fact, on]) => ({
    fact: fact as ClaimFactKind,
    at: instant(`${on}T12:00:00+01:00`)
  }))

const french = (
  deadline: FrenchDeadline,
  days: Partial<Record<ClaimFactKind, string>>,
  now = "2026-01-01"
) => deadlineOf(frenchDeadlines[deadline], facts(days), paris, instant(`${now}T12:00:00+01:00`))

describe("a deadline", () => {
  it("is refused where it is counted in hours or working months, begins with nothing or is met by nothing", () => {
    const decode = Schema.decodeUnknownSync(DeadlineRule)
    const rule = frenchDeadlines.VICTIM_INJURY
    assert.deepStrictEqual(decode(rule), rule)
    assert.throws(() => decode({ ...rule, from: [] }))
    assert.throws(() => decode({ ...rule, metBy: [] }))
    assert.throws(() => decode({ ...rule, duration: { amount: 24, unit: "HOUR" } }))
    assert.throws(() => decode({ ...rule, working: true }))
  })

  it("has not begun while one of several facts is missing, where the latest counts", () => {
    assert.isUndefined(french("CATNAT_COVER", { DECLARED: "2026-03-01" }))
    assert.isUndefined(french("CATNAT_COVER", { COVER_ANSWERED: "2026-03-01" }))
    const both = { DECLARED: "2026-03-01", DECREE_PUBLISHED: "2026-02-10" }
    assert.strictEqual(french("CATNAT_COVER", both)?.dueOn, "2026-04-01")
    assert.strictEqual(
      french("CATNAT_COVER", { ...both, DECREE_PUBLISHED: "2026-03-31" })?.dueOn,
      "2026-04-30"
    )
  })

  it("begins with the first fact, where the earliest counts, and moves when one comes to be known", () => {
    const rule: DeadlineRule = {
      ...frenchDeadlines.CATNAT_OFFER_AFTER_REPORT,
      from: ["EXPERT_REPORT_RECEIVED", "ESTIMATE_RECEIVED"],
      take: "EARLIEST"
    }
    const dueOn = (days: Partial<Record<ClaimFactKind, string>>) =>
      deadlineOf(rule, facts(days), paris, never)?.dueOn
    assert.strictEqual(dueOn({ EXPERT_REPORT_RECEIVED: "2026-05-20" }), "2026-06-20")
    assert.strictEqual(
      dueOn({ EXPERT_REPORT_RECEIVED: "2026-05-20", ESTIMATE_RECEIVED: "2026-05-04" }),
      "2026-06-04"
    )
  })

  it("is met by the first fact that does, and only by those before it began that may", () => {
    const paid = french("CATNAT_PAYMENT", { OFFER_ACCEPTED: "2026-03-10", PAID: "2026-03-01" })
    assert.deepStrictEqual([paid?.dueOn, paid?.metOn], ["2026-03-31", undefined])
    const declared = french("DECLARE_CATNAT", {
      DECREE_PUBLISHED: "2026-03-10",
      DECLARED: "2026-02-01"
    })
    assert.deepStrictEqual([declared?.metOn, declared?.daysLate], ["2026-02-01", 0])
    const replied = french("VICTIM_PROPERTY", {
      VICTIM_CLAIMED: "2026-01-15",
      OFFER_MADE: "2026-05-20",
      REASONED_REPLY: "2026-04-10"
    })
    assert.strictEqual(replied?.metOn, "2026-04-10")
  })

  it("is late by the days since its last one, until it is met", () => {
    const accident = { INCIDENT: "2026-06-30" }
    const at = (now: string) => french("VICTIM_INJURY", accident, now)
    assert.strictEqual(at("2027-02-28")?.dueOn, "2027-02-28")
    assert.strictEqual(at("2027-02-28")?.daysLate, 0)
    assert.strictEqual(at("2027-03-01")?.daysLate, 1)
    const offered = french("VICTIM_INJURY", { ...accident, OFFER_MADE: "2027-03-05" }, "2028-01-01")
    assert.deepStrictEqual([offered?.metOn, offered?.daysLate], ["2027-03-05", 5])
  })

  it("is over at the midnight after its last day, also where clocks change", () => {
    const summer = french("CATNAT_PAYMENT", { OFFER_ACCEPTED: "2026-03-08" })
    assert.deepStrictEqual(
      [summer?.dueOn, summer?.overdueFrom],
      ["2026-03-29", "2026-03-29T22:00:00.000Z"]
    )
    const winter = french("CATNAT_PAYMENT", { OFFER_ACCEPTED: "2026-10-04" })
    assert.deepStrictEqual(
      [winter?.dueOn, winter?.overdueFrom],
      ["2026-10-25", "2026-10-25T23:00:00.000Z"]
    )
  })

  it("is counted by the days of the place: the evening before midnight is another day than after", () => {
    const rule = frenchDeadlines.VICTIM_INJURY
    const dueOn = (at: string, zone = paris) =>
      deadlineOf(rule, [{ fact: "INCIDENT", at: instant(at) }], zone, never)?.dueOn
    assert.strictEqual(dueOn("2026-01-31T22:59:59.999Z"), "2026-09-30")
    assert.strictEqual(dueOn("2026-01-31T23:00:00Z"), "2026-10-01")
    assert.strictEqual(
      dueOn("2026-01-31T23:00:00Z", TimeZone.make("America/Martinique")),
      "2026-09-30"
    )
  })

  const Millis = Arbitrary.schema(
    Schema.Int.check(Schema.isBetween({ minimum: Date.UTC(1990, 0), maximum: Date.UTC(2080, 0) }))
  )
  const Amount = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 60 })))
  const zones = ["Europe/Paris", "America/Santiago", "Pacific/Auckland", "Africa/Cairo"]

  it.prop(
    "ends on the day that Temporal counts, in any zone",
    [Millis, Amount],
    ([millis, amount]) => {
      const at = fromEpochMillis(millis)
      for (const zone of zones) {
        const begun = Temporal.Instant.from(at).toZonedDateTimeISO(zone).toPlainDate()
        for (const unit of ["DAY", "WEEK", "MONTH"] as const) {
          const rule = { ...frenchDeadlines.VICTIM_INJURY, duration: { amount, unit } }
          const found = deadlineOf(rule, [{ fact: "INCIDENT", at }], TimeZone.make(zone), at)!
          const due = begun.add({ [`${unit.toLowerCase()}s`]: amount })
          const over = due.add({ days: 1 }).toZonedDateTime(zone).toInstant()
          assert.strictEqual(found.dueOn, due.toString())
          assert.strictEqual(Date.parse(found.overdueFrom), over.epochMilliseconds)
        }
      }
    }
  )
})

describe("working days of France", () => {
  /** All holidays that fall on a weekday, by the calendars of these years. */
  const holidays = new Set(
    (
      "2026-01-01 2026-04-06 2026-05-01 2026-05-08 2026-05-14 2026-05-25 2026-07-14 2026-11-11 2026-12-25 " +
      "2027-01-01 2027-03-29 2027-05-06 2027-05-17 2027-07-14 2027-11-01 2027-11-11 " +
      "2028-04-17 2028-05-01 2028-05-08 2028-05-25 2028-06-05 2028-07-14 2028-08-15 2028-11-01 2028-12-25"
    ).split(" ")
  )

  it("are all days but weekends and holidays, through three years", () => {
    for (let date = day("2025-12-31"); date < "2028-12-29"; date = addDays(date, 1)) {
      let expected = addDays(date, 1)
      while (Temporal.PlainDate.from(expected).dayOfWeek > 5 || holidays.has(expected)) {
        expected = addDays(expected, 1)
      }
      assert.strictEqual(addWorkingDays(date, 1), expected)
    }
  })

  it("give a declaration five days, over a bridge and a weekend", () => {
    // 8 May 2026 is a Friday and a holiday, Ascension is the Thursday after it.
    assert.strictEqual(french("DECLARE", { INCIDENT_KNOWN: "2026-05-07" })?.dueOn, "2026-05-18")
    assert.strictEqual(
      french("DECLARE_THEFT", { INCIDENT_KNOWN: "2026-05-07" })?.dueOn,
      "2026-05-12"
    )
  })

  it("are counted one by one", () => {
    const from = day("2026-03-02")
    let one = from
    for (let days = 1; days <= 300; days++) {
      one = addWorkingDays(one, 1)
      assert.strictEqual(addWorkingDays(from, days), one)
    }
    assert.isAbove(daysBetween(from, one), 400)
  })
})
