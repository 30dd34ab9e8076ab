import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Duration, Effect } from "effect"
import * as Settings from "../../src/values/Settings.ts"

const given = (text: string) => ConfigProvider.layer(ConfigProvider.fromUnknown({ SIZE: text }))

describe("a number from the environment", () => {
  const size = Settings.count("SIZE", { minimum: 1, maximum: 20 })

  it.effect.each(["1", "7", "20", "007"])("takes %s", (text) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* Effect.provide(size, given(text)), Number(text))
    })
  )

  it.effect.each(["0", "21", "-1", "1.5", "1e1", "0x7", "many", " 7", "9999999999999"])(
    "refuses “%s”, and says what it takes",
    (text) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(Effect.provide(size, given(text)))
        assert.include(String(error), "Expected a whole number from 1 to 20")
        assert.include(String(error), "SIZE")
      })
  )
})

describe("a length of time from the environment", () => {
  const pause = Settings.duration("SIZE")

  it.effect("takes what is between a millisecond and a day", () =>
    Effect.gen(function* () {
      for (const text of ["1 millis", "50 millis", "30 seconds", "24 hours"]) {
        const length = yield* Effect.provide(pause, given(text))
        assert.isTrue(Duration.toMillis(length) >= 1)
      }
    })
  )

  it.effect.each(["0 seconds", "-5 seconds", "Infinity", "25 hours", "soon", "30"])(
    "refuses “%s”, and says what it takes",
    (text) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(Effect.provide(pause, given(text)))
        assert.include(String(error), "Expected a time from 1 millisecond to 1 day")
      })
  )
})
