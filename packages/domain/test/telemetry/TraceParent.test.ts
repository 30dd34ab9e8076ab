/** The header `traceparent` and what is kept of it: valid values alone, from any sender. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Schema, Tracer } from "effect"
import { linkTo, recorded, Tracing } from "../../src/telemetry/CurrentTrace.ts"
import * as TraceParent from "../../src/telemetry/TraceParent.ts"

const id = (digits: number) =>
  Arbitrary.schema(
    Schema.String.check(
      Schema.isPattern(new RegExp(`^[0-9a-f]{${digits - 1}}[1-9a-f]$`, "u"), { message: "an id" })
    )
  )

describe("traceparent", () => {
  it.prop(
    "is read as it was written",
    [id(32), id(16), Arbitrary.schema(Schema.Boolean)],
    ([traceId, spanId, sampled]) => {
      const place = { traceId, spanId, sampled }
      assert.deepStrictEqual(TraceParent.read([TraceParent.write(place)]), place)
    }
  )

  it.prop("is nothing where it is anything else", [Arbitrary.schema(Schema.String)], ([text]) => {
    assert.isUndefined(TraceParent.read([text]))
  })

  const valid = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

  it.each([
    ["none", []],
    ["two", [valid, valid]],
    ["in capitals", [valid.toUpperCase()]],
    ["without a trace", [valid.replace(/[0-9a-f]{32}/u, "0".repeat(32))]],
    ["without a place", [valid.replace("b7ad6b7169203331", "0".repeat(16))]],
    ["of a version that is none", [valid.replace(/^00/u, "ff")]],
    ["with more than its version has", [`${valid}-00`]],
    ["very long", [`01${valid.slice(2)}-${"0".repeat(500)}`]]
  ])("is nothing: %s", (_what, values) => {
    assert.isUndefined(TraceParent.read(values))
  })

  it("is read of later versions as far as this one goes", () => {
    assert.deepInclude(TraceParent.read([`01${valid.slice(2)}-what-comes`]), { sampled: true })
  })
})

/** Runs an effect in a span, and says which. */
const inSpan = <A, E>(
  effect: Effect.Effect<A, E>,
  options: { readonly sampled: boolean } = { sampled: true }
) =>
  Effect.useSpan("some work", options, (span) =>
    Effect.map(Effect.provideService(effect, Tracer.ParentSpan, span), (value) => ({ span, value }))
  )

const traced = Effect.provideService(Tracing, { propagates: true })

describe("what a later trace refers to", () => {
  it.effect("is the place under way, where it is recorded", () =>
    Effect.gen(function* () {
      const { span, value } = yield* inSpan(traced(recorded))
      assert.strictEqual(value, `00-${span.traceId}-${span.spanId}-01`)
      assert.isUndefined((yield* inSpan(traced(recorded), { sampled: false })).value)
      assert.isUndefined((yield* inSpan(recorded)).value)
      assert.isUndefined(yield* traced(recorded))
    })
  )

  it.effect("is linked once for each trace, and 128 times at the most", () =>
    Effect.gen(function* () {
      const places = Array.from({ length: 300 }, (_, index) =>
        TraceParent.write({
          traceId: `${Math.floor(index / 2) + 1}`.padStart(32, "0"),
          spanId: `${index + 1}`.padStart(16, "0"),
          sampled: true
        })
      )
      const { span } = yield* inSpan(traced(linkTo([null, undefined, "no place", ...places])))
      assert.lengthOf(span.links, 128)
      assert.deepStrictEqual(
        span.links.slice(0, 2).map(({ span }) => span.spanId),
        ["0000000000000001", "0000000000000003"]
      )
      assert.lengthOf((yield* inSpan(linkTo(places))).span.links, 0)
    })
  )
})
