import { assert, describe, it } from "@effect/vitest"
import {
  clocks,
  erasableAt,
  frenchRetention,
  type RetentionClass,
  type RetentionFact
} from "../../src/privacy/Retention.ts"
import { Instant } from "../../src/values/Instant.ts"

const paris = "Europe/Paris"

const fact = (name: RetentionClass, startsAt?: string): RetentionFact => ({
  class: name,
  recordId: "r",
  startsAt: startsAt === undefined ? undefined : Instant.make(startsAt)
})

/** The clock of one class that starts at an instant. */
const clockOf = (name: RetentionClass, startsAt: string, zone = paris) =>
  clocks([fact(name, startsAt)], frenchRetention, zone)[0]!

describe("retention clocks", () => {
  it.each([
    // Winter time: midnight of Paris is 23:00 in UTC.
    [
      "CONTRACT",
      "2026-03-10T12:00:00.000Z",
      "2026-03-10T23:00:00.000Z",
      "2031-03-10T23:00:00.000Z"
    ],
    // The leap day has no anniversary: five years end with 28 February.
    [
      "CONTRACT",
      "2024-02-29T12:00:00.000Z",
      "2024-02-29T23:00:00.000Z",
      "2029-02-28T23:00:00.000Z"
    ],
    // Of three years as well, and in use all the time.
    [
      "PROSPECT",
      "2024-02-29T12:00:00.000Z",
      "2027-02-28T23:00:00.000Z",
      "2027-02-28T23:00:00.000Z"
    ],
    // The last day of a month in summer.
    ["MANDATE", "2026-08-31T12:00:00.000Z", "2026-08-31T22:00:00.000Z", "2031-08-31T22:00:00.000Z"],
    // A minute before midnight in Paris, and a minute after.
    [
      "CONTRACT",
      "2026-06-30T21:59:00.000Z",
      "2026-06-30T22:00:00.000Z",
      "2031-06-30T22:00:00.000Z"
    ],
    [
      "CONTRACT",
      "2026-06-30T22:00:00.000Z",
      "2026-07-01T22:00:00.000Z",
      "2031-07-01T22:00:00.000Z"
    ],
    // Accounting counts from the end of the year, local time: this one is 2027 in Paris.
    [
      "ACCOUNTING",
      "2026-12-31T23:30:00.000Z",
      "2027-12-31T23:00:00.000Z",
      "2037-12-31T23:00:00.000Z"
    ],
    // Two years, then three more, in one step from the leap day.
    ["HEALTH", "2024-02-29T12:00:00.000Z", "2026-02-28T23:00:00.000Z", "2029-02-28T23:00:00.000Z"],
    ["UPLOAD", "2026-01-31T12:00:00.000Z", "2026-03-02T23:00:00.000Z", "2026-03-02T23:00:00.000Z"]
  ] as const)("of %s from %s archive at %s and end at %s", (name, startsAt, archived, erased) => {
    const { archivedAt, erasedAt } = clockOf(name, startsAt)
    assert.deepStrictEqual([archivedAt, erasedAt], [Instant.make(archived), Instant.make(erased)])
  })

  it("count the days of the tenant's zone", () => {
    const startsAt = "2026-06-30T22:30:00.000Z"
    assert.strictEqual(clockOf("CONTRACT", startsAt, "UTC").erasedAt, "2031-07-01T00:00:00.000Z")
    assert.strictEqual(clockOf("CONTRACT", startsAt, paris).erasedAt, "2031-07-01T22:00:00.000Z")
  })

  it("never archive after they erase, nor before they start", () => {
    for (const { class: name } of frenchRetention) {
      for (let day = 0; day < 1500; day += 17) {
        const startsAt = new Date(Date.UTC(2023, 0, 1 + day, day % 24)).toISOString()
        const clock = clockOf(name, startsAt)
        assert.isTrue(startsAt < clock.archivedAt! && clock.archivedAt! <= clock.erasedAt!, name)
      }
    }
  })

  it("have no end while they wait, and nothing is erasable then", () => {
    const waiting = clocks(
      [
        { class: "CONTRACT", recordId: "p", waitsFor: "DEBT_OPEN" },
        fact("MANDATE", "2026-01-01T00:00:00.000Z")
      ],
      frenchRetention,
      paris
    )
    assert.strictEqual(waiting[0]!.waitsFor, "DEBT_OPEN")
    assert.notProperty(waiting[0], "erasedAt")
    assert.isUndefined(erasableAt(waiting))
    assert.isUndefined(erasableAt([...waiting].reverse()))
    assert.isUndefined(erasableAt([]))
  })

  it("let the longest decide", () => {
    const at = "2026-05-01T10:00:00.000Z"
    const all = clocks(
      (["CONTRACT", "ACCOUNTING", "MANDATE"] as const).map((name) => fact(name, at)),
      frenchRetention,
      paris
    )
    assert.strictEqual(erasableAt(all), all.find((one) => one.class === "ACCOUNTING")!.erasedAt)
  })

  it("have one rule with its source for each class", () => {
    const names = frenchRetention.map((one) => one.class)
    assert.strictEqual(new Set(names).size, names.length)
    for (const { source } of frenchRetention) assert.match(source, /\S/u)
  })
})
