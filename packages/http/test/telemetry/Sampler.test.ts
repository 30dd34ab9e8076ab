/** Which traces are recorded, by each sampler of the standard. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { randomBytes } from "node:crypto"
import { isSampled, samplerNames } from "../../src/telemetry/Sampler.ts"

const ratios = Arbitrary.schema(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 })))
const names = Arbitrary.schema(Schema.Literals(samplerNames))
const traceId = () => randomBytes(16).toString("hex")

describe("a sampler", () => {
  it.prop(
    "does as the caller does where it is based on that, and whatever they do where it is not",
    [names, ratios, Arbitrary.schema(Schema.Boolean)],
    ([name, ratio, parent]) => {
      const id = traceId()
      const sampled = isSampled({ name, ratio }, id, parent)
      assert.strictEqual(
        sampled,
        name.startsWith("parentbased_") ? parent : isSampled({ name, ratio }, id, undefined)
      )
    }
  )

  it.prop(
    "records with a greater ratio what it does with a smaller one",
    [ratios, ratios],
    ([a, b]) => {
      const id = traceId()
      const of = (ratio: number) => isSampled({ name: "traceidratio", ratio }, id, undefined)
      if (of(Math.min(a, b))) assert.isTrue(of(Math.max(a, b)))
    }
  )

  it("records that part of all traces, none at 0 and all at 1", () => {
    const share = (ratio: number) => {
      const ids = Array.from({ length: 20_000 }, traceId)
      return ids.filter((id) => isSampled({ name: "traceidratio", ratio }, id, undefined)).length
    }
    assert.strictEqual(share(0), 0)
    assert.strictEqual(share(1), 20_000)
    // Ten standard deviations, which chance does not reach.
    assert.approximately(share(0.1), 2000, 425)
  })
})
