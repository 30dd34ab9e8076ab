import { assert, describe, it } from "@effect/vitest"
import { Effect, Formatter, Redacted, Schema } from "effect"
import * as JsonLog from "../src/JsonLog.ts"

const event = (message: unknown, annotations: Record<string, unknown>) => ({
  message,
  level: "INFO",
  timestamp: "2026-01-01T00:00:00.000Z",
  cause: undefined,
  annotations,
  spans: { request: 12 },
  fiberId: "#1"
})

const circle: Record<string, unknown> = {}
circle["itself"] = circle

describe("the line of an event", () => {
  it.effect.prop(
    "is the one that Effect writes",
    [
      Schema.Union([Schema.Json, Schema.Array(Schema.Json)]),
      Schema.Record(Schema.String, Schema.Json)
    ],
    ([message, annotations]) =>
      Effect.sync(() => {
        const drawn = event(message, annotations)
        assert.strictEqual(JsonLog.format(drawn), Formatter.formatJson(drawn))
      }),
    { arbitrary: { runs: 300 } }
  )

  it.each([
    ["a secret", Redacted.make("hunter2")],
    ["a circle", circle],
    ["an error", new Error("away")],
    ["a big number", 12n],
    ["nothing", undefined]
  ])("is the one that Effect writes where there is %s in it", (_, value) => {
    for (const drawn of [event(value, {}), event("request", { value }), event(["a", value], {})]) {
      const line = JsonLog.format(drawn)
      assert.strictEqual(line, Formatter.formatJson(drawn))
      assert.notInclude(line, "hunter2")
    }
  })
})
