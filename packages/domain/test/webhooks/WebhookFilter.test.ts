/** The filters that an endpoint has had, of which each counts for its own positions. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { eventTypes } from "../../src/EventType.ts"
import {
  type FilterFrom,
  rememberedFilters,
  wantedBy,
  withFilter
} from "../../src/webhooks/WebhookFilter.ts"

const Patterns = Schema.UniqueArray(
  Schema.Literals(["*", "policy.*", "invoice.*", "user.created", "policy.updated"])
).check(Schema.isMinLength(1))
const Changes = Schema.Array(
  Schema.Struct({
    types: Patterns,
    step: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 }))
  })
).check(Schema.isMinLength(1), Schema.isMaxLength(120))
const kinds = ["policy.update", "invoice.issued", "user.create", "user.update"] as const

/** A history of changes at growing positions: what is remembered of it, and all of it. */
const played = (drawn: typeof Changes.Type) => {
  let position = 0
  let remembered: ReadonlyArray<FilterFrom> = []
  let all: ReadonlyArray<FilterFrom> = []
  drawn.forEach(({ step, types: asked }, index) => {
    position += index === 0 ? 0 : step
    const next = { after: position, types: asked }
    remembered = withFilter(remembered, next)
    all = [...all.filter(({ after }) => after < next.after), next]
  })
  return { remembered, all, last: position }
}

describe("the filters of an endpoint", () => {
  it.prop(
    "let through all that they did at each position, and exactly that where they are remembered",
    [Arbitrary.schema(Changes)],
    ([drawn]) => {
      const { all, last, remembered } = played(drawn)
      assert.isAtMost(remembered.length, rememberedFilters)
      const [then, now] = [wantedBy(all), wantedBy(remembered)]
      const exactFrom = remembered[1]?.after ?? 0
      for (let position = 1; position <= last + 1; position++) {
        for (const kind of kinds) {
          const row = { kind, position }
          if (then(row)) assert.isTrue(now(row), `${kind} at ${position} is lost`)
          if (position > exactFrom) assert.strictEqual(now(row), then(row))
        }
      }
    }
  )

  it("leave out nothing of what was before more changes than are remembered", () => {
    const drawn = Array.from({ length: 90 }, (_, index) => ({
      types: index % 2 === 0 ? (["policy.*"] as const) : (["user.created"] as const),
      step: 1
    }))
    const { remembered } = played(drawn)
    assert.lengthOf(remembered, rememberedFilters)
    assert.isTrue(wantedBy(remembered)({ kind: "policy.update", position: 1 }))
    assert.isFalse(wantedBy(remembered)({ kind: "invoice.issued", position: 1 }))
  })

  it("are no more for one that is asked for again, in whatever order", () => {
    const once = withFilter([], { after: 0, types: ["policy.*", "user.*"] })
    assert.deepStrictEqual(withFilter(once, { after: 7, types: ["user.*", "policy.*"] }), once)
    assert.lengthOf(withFilter(once, { after: 7, types: ["user.*"] }), 2)
    // What is asked about is there.
    assert.isTrue(kinds.every((kind) => Object.hasOwn(eventTypes, kind)))
  })
})
