/** The model of versions by itself: what it says of lives that were written out by hand. */
import { assert, describe, it } from "@effect/vitest"
import { renewalAfter } from "../versions/Calendar.ts"
import type { Command } from "../versions/Commands.ts"
import { fault } from "../versions/Fleet.ts"
import { Model } from "../versions/Model.ts"
import { asData } from "../versions/People.ts"
import { expected, lifeOf } from "../versions/Run.ts"

const lived = (starts: number, ...commands: ReadonlyArray<Command>): Model => {
  const model = new Model(starts)
  for (const command of commands) model.accept(command)
  return model
}

const level = { does: "data", on: 0, key: "level", value: 500_000 } as const
const memo = (value: string, day?: number): Command => ({
  does: "data",
  on: 0,
  key: "memo",
  value,
  ...(day === undefined ? {} : { day })
})
const sold: ReadonlyArray<Command> = [
  level,
  { does: "quote", on: 0 },
  { does: "confirm", on: 0 },
  { does: "sign", on: 0 }
]

describe("the model of a policy's versions", () => {
  it("lets what is recorded later, for an earlier day, slide under a later change", () => {
    const model = lived(0, ...sold, memo("late", 10), memo("early", 5))
    const at = (whenAt: number) => expected(model, { place: 0, whenAt })?.memo
    assert.deepStrictEqual([at(4), at(5), at(9), at(10)], [undefined, "early", "early", "late"])
  })

  it("has not known what was recorded since", () => {
    const model = lived(0, ...sold, { does: "wait", days: 3 }, memo("new", 0))
    assert.strictEqual(expected(model, { place: 0, whenAt: 1 })?.memo, "new")
    assert.isUndefined(expected(model, { place: 0, whenAt: 1, knownAt: 2 })?.memo)
  })

  it("has no stop at any time once it was reverted without a gap", () => {
    const stopped = [...sold, { does: "stop", day: 5 }, { does: "wait", days: 8 }] as const
    const covered = lived(0, ...stopped, { does: "reinstate", gap: "COVERED" })
    const uncovered = lived(0, ...stopped, { does: "reinstate", gap: "NOT_COVERED" })
    const shown = (model: Model) =>
      [2, 6, 9].map((whenAt) => expected(model, { place: 0, whenAt })?.stop)
    assert.deepStrictEqual(shown(covered), [false, false, false])
    assert.deepStrictEqual(shown(uncovered), [true, true, false])
  })

  it("tells a contradiction from two who say the same", () => {
    const both = (value: string) =>
      lived(0, ...sold, { does: "open", day: 5 }, memo("base", 6), {
        does: "data",
        on: 1,
        key: "memo",
        value
      })
    assert.isTrue(both("other").contradicts(1))
    assert.isFalse(both("base").contradicts(1))
  })

  it("has each customer on a policy from their joining until they leave", () => {
    const model = lived(0, ...sold)
    const steps = [
      { does: "join", on: 0, day: 3, who: 1 },
      { does: "join", on: 0, day: 5, who: 2 },
      { does: "leave", on: 0, day: 8, who: 1 }
    ] as const
    for (const [number, step] of steps.entries()) model.accept(asData(model, step, number))
    const at = (whenAt: number) => expected(model, { place: 0, whenAt })?.people
    assert.deepStrictEqual([at(2), at(4), at(6), at(8)], [[], [1], [1, 2], [2]])
  })

  const bicycle = { on: 0, asset: 1, fields: { value: 20_000 } } as const
  const first = { does: "add", on: 0, asset: 0, fields: { value: 10_000 } } as const

  it("prices an asset from when it comes until its cover ends, and shows it on", () => {
    const model = lived(0, first, { does: "add", ...bicycle, day: 3 }, ...sold)
    model.accept({ does: "open", day: 6 })
    for (const step of [
      { does: "end", on: 1, asset: 1, day: 8 },
      { does: "quote", on: 1 },
      { does: "confirm", on: 1 },
      { does: "sign", on: 1 }
    ] as const) {
      model.accept(step)
    }
    const at = (whenAt: number) => expected(model, { place: 0, whenAt })
    assert.deepStrictEqual(
      [2, 3, 8].map((day) => at(day)?.price),
      [36_295, 37_485, 36_295]
    )
    assert.deepStrictEqual(
      [2, 3, 8].map((day) => at(day)?.assets),
      [[0], [0, 1], [0, 1]]
    )
    assert.strictEqual(at(8)?.fleet?.[1]?.status, "ASSET_STOPPED")
  })

  it("never had an asset that was taken away, and has none twice", () => {
    const model = lived(0, level, first, { does: "add", ...bicycle, day: 3 })
    model.accept({ does: "change", on: 0, asset: 1, day: 5, key: "value", value: 30_000 })
    assert.isUndefined(fault(model, { does: "remove", on: 0, asset: 1 }))
    model.accept({ does: "remove", on: 0, asset: 1 })
    assert.deepStrictEqual(
      [3, 5].map((whenAt) => expected(model, { place: 0, whenAt })?.assets),
      [[0], [0]]
    )
    assert.isDefined(fault(model, { does: "remove", on: 0, asset: 1 }))
  })

  it("contradicts where two copies of an asset are no longer alike", () => {
    const forked = lived(0, first, ...sold, { does: "open", day: 5 })
    const later: ReadonlyArray<Command> = [
      { does: "add", ...bicycle, on: 1 },
      { does: "fork", on: 1 },
      { does: "quote", on: 1 },
      { does: "confirm", on: 1 },
      { does: "sign", on: 1 }
    ]
    for (const step of later) forked.accept(step)
    assert.isFalse(forked.contradicts(2))
    forked.accept({ does: "change", on: 2, asset: 1, key: "colour", value: "red" })
    assert.isTrue(forked.contradicts(2))
  })

  it("has the next anniversary at the time of day of the start, in summer too", () => {
    assert.strictEqual(renewalAfter(25, 25 + 364), "2027-03-27T11:00:00.000Z")
    assert.strictEqual(renewalAfter(25, 25 + 365), "2028-03-27T10:00:00.000Z")
  })

  it("lives the same life with the same seed", () => {
    assert.deepStrictEqual(lifeOf(7), lifeOf(7))
    assert.notDeepEqual(lifeOf(7), lifeOf(8))
  })
})
