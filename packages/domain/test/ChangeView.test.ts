import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { apply, type Change, touch } from "../src/Change.ts"
import { segments, standing, stateAt, visible } from "../src/ChangeView.ts"
import { pendingStop, revert, undo } from "../src/ContractCommands.ts"
import * as Validity from "../src/Validity.ts"
import { Result } from "effect"
import {
  change,
  compact,
  day,
  days,
  histories,
  replayed,
  runs,
  text,
  trunkId,
  twoId,
  updates
} from "./Histories.ts"

const trunk = { branchId: trunkId }
const at = (changes: ReadonlyArray<Change>, n: number) =>
  stateAt(changes, { ...trunk, whenAt: day(n) })
const index = Arbitrary.schema(Schema.Literals([3, 11, 17, 24, 31, 49]))

describe("a change log", () => {
  it.prop(
    "folds to what replaying it step by step makes, at every instant",
    [histories],
    ([history]) => {
      const changes = updates(history)
      for (const n of days)
        assert.strictEqual(text(at(changes, n)), text(replayed(changes, day(n))))
    },
    runs
  )

  it.prop(
    "has one segment for every instant, with the state of that instant, and rows that say the same",
    [histories],
    ([history]) => {
      const changes = updates(history)
      const all = segments(changes, trunk)
      for (const [position, segment] of all.entries()) {
        assert.strictEqual(segment.to, all[position + 1]?.from)
        assert.strictEqual(text(segment.state), text(replayed(changes, segment.from)))
      }
      const rows = Validity.ofBranch(changes, trunk, "policy")
      for (const n of days) {
        const inForce = rows.filter(
          ({ from, to }) => from <= day(n) && (to === undefined || to > day(n))
        )
        assert.strictEqual(text(Validity.toState(inForce)), text(replayed(changes, day(n))))
      }
    },
    runs
  )

  it.prop(
    "does not care in which order changes were recorded that don't touch",
    [histories],
    ([history]) => {
      const changes = updates(history)
      for (let first = 0; first + 1 < changes.length; first++) {
        const [a, b] = [changes[first]!, changes[first + 1]!]
        if (touch(a.patch[0]!.path, b.patch[0]!.path)) continue
        const swapped = [...changes]
        swapped[first] = { ...b, seq: a.seq }
        swapped[first + 1] = { ...a, seq: b.seq }
        for (const n of days) assert.strictEqual(text(at(swapped, n)), text(at(changes, n)))
      }
    },
    { arbitrary: { runs: 50 } }
  )

  it.prop(
    "never changes what was known once it is past, and shows a back-dated change to all later views",
    [histories, index],
    ([history, known]) => {
      const changes = updates(history)
      const knownAt = changes[known]!.recordedAt
      const before = changes.slice(0, known + 1)
      for (const n of days) {
        const view = { ...trunk, whenAt: day(n), knownAt }
        assert.strictEqual(text(stateAt(changes, view)), text(replayed(before, day(n))))
      }
      const late = change(99, trunkId, "UPDATE", day(-1), [{ path: "/fresh", value: 1 }])
      for (const n of days) assert.strictEqual(at([...changes, late], n)["fresh"], 1)
    },
    runs
  )

  it.prop(
    "is restored exactly by a revert, and by the revert of that one",
    [histories, index],
    ([history, which]) => {
      const changes = updates(history)
      const undone = changes[which]!
      const without = changes.filter((one) => one !== undone)
      const once = change(90, trunkId, "REVERT", undone.effectiveAt, [], undone.id)
      const twice = change(91, trunkId, "REVERT", once.effectiveAt, [], once.id)
      for (const n of days) {
        assert.strictEqual(text(at([...changes, once], n)), text(replayed(without, day(n))))
        assert.strictEqual(text(at([...changes, once, twice], n)), text(replayed(changes, day(n))))
      }
    },
    runs
  )

  it.prop(
    "shows nothing of what takes effect at a stop or later, and all of it once that is withdrawn",
    [histories, index],
    ([history, n]) => {
      const changes = updates(history)
      const T = day(n % 10)
      const announced = change(80, trunkId, "ANNOUNCE_STOP", day(-1), [
        { path: "/endedAt", value: T }
      ])
      const stop = change(81, trunkId, "STOP", T, [{ path: "/contract", value: "STOPPED" }])
      const stopped = [...changes, announced, stop]
      const before = changes.filter(({ effectiveAt }) => effectiveAt < T)
      for (const at of days) {
        const { contract, endedAt, ...rest } = stateAt(stopped, {
          ...trunk,
          whenAt: day(at)
        }) as Record<string, unknown>
        assert.strictEqual(text(rest), text(replayed(before, day(at))))
        assert.strictEqual(endedAt, T)
        assert.strictEqual(contract, day(at) >= T ? "STOPPED" : undefined)
      }
      const pending = pendingStop(stopped, trunk, day(-1))
      assert.deepStrictEqual(pending, [announced, stop])
      const withdrawn = [
        ...stopped,
        ...pending.map((one, more) => ({
          ...change(82 + more, trunkId, "REVERT", one.effectiveAt, []),
          ...undo(one)
        }))
      ]
      for (const at of days) {
        assert.strictEqual(
          text(stateAt(withdrawn, { ...trunk, whenAt: day(at) })),
          text(replayed(changes, day(at)))
        )
      }
      // What follows a reinstatement shows; what the stop hid before does not come back.
      const again = change(85, trunkId, "REINSTATE", T, [{ path: "/contract", removed: true }])
      const after = change(86, trunkId, "UPDATE", day(9), [{ path: "/fresh", value: 1 }])
      const reinstated = standing([...stopped, again, after], trunk)
      assert.deepStrictEqual(
        reinstated.filter(({ kind }) => kind === "UPDATE"),
        [...before, after]
      )
    },
    runs
  )

  it("lets an earlier stop take the place of a later one, and a step of the sale be hidden by none", () => {
    const sign = change(1, trunkId, "SIGN", day(3), [{ path: "/signedAt", value: day(3) }])
    const late = change(2, trunkId, "STOP", day(8), [{ path: "/stoppedAt", value: day(8) }])
    const soon = change(3, trunkId, "STOP", day(3), [{ path: "/stoppedAt", value: day(3) }])
    const state = at([sign, late, soon], 9)
    assert.deepStrictEqual(compact(state), { signedAt: day(3), stoppedAt: day(3) })
  })

  it("refuses to take back what later changes lie in, the sale itself, and what no longer stands", () => {
    const sign = change(1, trunkId, "SIGN", day(0), [{ path: "/signedAt", value: day(0) }])
    const added = change(2, trunkId, "UPDATE", day(1), [{ path: "/assets/a1", value: {} }])
    const inside = change(3, trunkId, "UPDATE", day(2), [{ path: "/assets/a1/name", value: "x" }])
    const changes = [sign, added, inside]
    const failureOf = (log: ReadonlyArray<Change>, one: Change) => {
      const result = revert(log, trunk, one)
      return Result.isFailure(result) ? result.failure._tag : undefined
    }
    assert.strictEqual(failureOf(changes, sign), "ChangeNotRevertible")
    assert.strictEqual(failureOf(changes, added), "ChangeHasDependents")
    assert.strictEqual(failureOf(changes, inside), undefined)
    const gone = change(4, trunkId, "REVERT", inside.effectiveAt, [], inside.id)
    assert.strictEqual(failureOf([...changes, gone], inside), "ChangeNotRevertible")
    assert.strictEqual(failureOf([...changes, gone], added), undefined)
  })

  it.prop(
    "shows a branch beside the trunk what that was at the fork, and its own changes after it",
    [histories, histories, index],
    ([ofTrunk, ofBranch, fork]) => {
      const base = updates(ofTrunk)
      const own = updates(ofBranch, twoId, 100)
      const lineage = { branchId: twoId, base: { branchId: trunkId, seq: base[fork]!.seq } }
      const seen = [...base.slice(0, fork + 1), ...own]
      for (const n of days) {
        const state = stateAt([...base, ...own], { ...lineage, whenAt: day(n) })
        assert.strictEqual(text(state), text(replayed(seen, day(n), twoId)))
      }
      assert.deepStrictEqual(visible(base, { branchId: twoId }), [])
    },
    runs
  )

  it("treats the names of inherited members as plain keys", () => {
    const state = apply({}, [{ path: "/customFields/__proto__", value: 1 }])
    assert.strictEqual(({} as Record<string, unknown>)["a"], undefined)
    assert.deepStrictEqual(Object.keys(state["customFields"] as object), ["__proto__"])
  })
})
