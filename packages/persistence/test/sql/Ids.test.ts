import { alphabet, isTest, schema } from "@quittance/domain/values/PrefixedId"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Schema } from "effect"
import { Ids } from "../../src/sql/Ids.ts"

const idsOf = (environment: Record<string, string>) =>
  Effect.provide(
    Ids,
    Layer.provide(Ids.layer, ConfigProvider.layer(ConfigProvider.fromUnknown(environment)))
  )

describe("Ids", () => {
  it.effect("refuses an environment it does not know", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(idsOf({ ENVIRONMENT: "staging" }))

      assert.strictEqual(error._tag, "ConfigError")
    })
  )

  it.effect.each([{}, { ENVIRONMENT: "sandbox" }, { ENVIRONMENT: "development" }])(
    "marks identifiers as test ones in %o",
    (environment) =>
      Effect.gen(function* () {
        const ids = yield* idsOf(environment)

        assert.isTrue(isTest(ids.next("brokerage_firm")))
      })
  )

  it.effect("makes identifiers without the mark in production", () =>
    Effect.gen(function* () {
      const ids = yield* idsOf({ ENVIRONMENT: "production" })

      assert.isFalse(isTest(ids.next("policy")))
    })
  )

  it.effect("makes identifiers that fit the schema of their prefix, and never one twice", () =>
    Effect.gen(function* () {
      const ids = yield* idsOf({})
      const decode = Schema.decodeUnknownEffect(Schema.Array(schema("policy")))

      // Many more than one buffer of random bytes holds.
      const made = yield* decode(Array.from({ length: 20_000 }, () => ids.next("policy")))

      assert.strictEqual(new Set(made).size, made.length)
    })
  )

  it.effect("derives one identifier from one text, and another from another", () =>
    Effect.gen(function* () {
      const [ids, others] = [yield* idsOf({}), yield* idsOf({})]
      const decode = Schema.decodeUnknownEffect(Schema.Array(schema("quote")))
      const texts = Array.from({ length: 1_000 }, (_, index) => `text ${index}`)
      const made = yield* decode(texts.map((text) => ids.derived("quote", text)))
      assert.deepStrictEqual(
        texts.map((text) => others.derived("quote", text)),
        made
      )
      assert.strictEqual(new Set(made).size, made.length)
      assert.isTrue(made.every(isTest))
    })
  )

  it.effect("draws every character of the alphabet as often as any other, at every place", () =>
    Effect.gen(function* () {
      const ids = yield* idsOf({})
      const draws = 50_000
      const counts = new Map<string, number>()
      for (let draw = 0; draw < draws; draw++) {
        for (const [place, character] of Array.from(ids.next("quote").slice(-21)).entries()) {
          const key = `${place}${character}`
          counts.set(key, (counts.get(key) ?? 0) + 1)
        }
      }

      // Pearson's statistic has 21 × 48 = 1008 degrees of freedom: mean 1008, deviation 45. Taking
      // bytes modulo 49 without refusing any of them would put it near 7 700 here.
      const expected = draws / alphabet.length
      const statistic = [...counts.values()].reduce(
        (sum, count) => sum + (count - expected) ** 2 / expected,
        0
      )
      assert.strictEqual(counts.size, 21 * alphabet.length)
      assert.isBelow(statistic, 1008 + 7 * 45)
    })
  )
})
