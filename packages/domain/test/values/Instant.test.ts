import { assert, describe, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import { fromEpochMillis, toEpochMillis } from "../../src/values/Instant.ts"

const [first, last] = [-62_135_596_800_000, 253_402_300_799_999]
const Millis = Schema.Int.check(Schema.isBetween({ minimum: first, maximum: last }))

describe("an instant", () => {
  it.prop(
    "is written as the library writes it, and read back",
    [Millis],
    ([millis]) => {
      const instant = fromEpochMillis(millis)
      assert.strictEqual(instant, DateTime.formatIso(DateTime.makeUnsafe(millis)))
      assert.strictEqual(toEpochMillis(instant), millis)
    },
    { arbitrary: { runs: 2000 } }
  )

  it("is written at the ends of days, years and time", () => {
    const texts = [first, -1, 0, 86_399_999, 86_400_000, last].map(fromEpochMillis)
    assert.deepStrictEqual<ReadonlyArray<string>>(texts, [
      "0001-01-01T00:00:00.000Z",
      "1969-12-31T23:59:59.999Z",
      "1970-01-01T00:00:00.000Z",
      "1970-01-01T23:59:59.999Z",
      "1970-01-02T00:00:00.000Z",
      "9999-12-31T23:59:59.999Z"
    ])
    assert.throws(() => fromEpochMillis(last + 1))
    assert.throws(() => fromEpochMillis(first - 1))
  })
})
