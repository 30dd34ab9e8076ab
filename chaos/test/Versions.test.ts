/** The model of versions by itself: what it says of lives that were written out by hand. */
import { assert, describe, it } from "@effect/vitest"
import type { Command } from "../versions/Commands.ts"
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

  it("has no stop at any time once it was taken back without a gap", () => {
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

  it("has whoever joined on a policy until they leave, each at their time", () => {
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

  it("lives the same life with the same seed", () => {
    assert.deepStrictEqual(lifeOf(7), lifeOf(7))
    assert.notDeepEqual(lifeOf(7), lifeOf(8))
  })
})
