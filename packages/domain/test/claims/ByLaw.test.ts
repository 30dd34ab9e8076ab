import { assert, describe, it } from "@effect/vitest"
import { cover } from "../../src/claims/Cover.ts"
import type { Exclusion } from "../../src/claims/CoverTerms.ts"
import { renewalsJobName } from "../../src/requests/Actor.ts"
import { branchIds, day, trunkId } from "../RandomLogs.ts"
import { ask, byHand, check, open, questionOf, running, worker } from "./RunningContract.ts"
import { startDay, termsOf } from "./VehicleTerms.ts"

describe("what law and calendar did by the loss, and what people did after it", () => {
  it("knows a suspension by law that the worker recorded after the loss", () => {
    const late = ask(running([worker("SUSPEND", 20, 40)]), day(30))
    assert.strictEqual(late.verdict, "NOT_COVERED")
    assert.deepStrictEqual(late.byTime, { known: "NOT_COVERED", knownThen: "NOT_COVERED" })
    assert.strictEqual(check(late, "RECORDED_AFTER").outcome, "PASS")
    // Before it was recorded no one could know it.
    const early = ask(running([worker("SUSPEND", 20, 40)]), day(30), { knownAt: day(39) })
    assert.strictEqual(early.verdict, "COVERED")
    assert.strictEqual(early.upToChange, 3)
  })

  it("leaves it to a person where people dated a change back past the loss, whichever way it went", () => {
    const worse = ask(running([byHand("SUSPEND", 20, 40)]), day(30))
    assert.deepStrictEqual(open(worse), { IN_FORCE: "REFER", RECORDED_AFTER: "REFER" })
    assert.deepStrictEqual(worse.byTime, { known: "NOT_COVERED", knownThen: "COVERED" })
    assert.deepStrictEqual(check(worse, "RECORDED_AFTER").changes, [4])
    const better = ask(running([worker("STOP", 20, 20), byHand("REINSTATE", 20, 40)]), day(30))
    assert.strictEqual(better.verdict, "REFER")
    assert.deepStrictEqual(better.byTime, { known: "COVERED", knownThen: "NOT_COVERED" })
    assert.deepStrictEqual(check(better, "RECORDED_AFTER").changes, [5])
  })

  it("does not ask a person about what changes nothing for the line", () => {
    const log = running([
      byHand("SUSPEND", 31, 40),
      { ...byHand("UPDATE", 20, 40), patch: [{ path: "/name", value: "Clio" }] }
    ])
    assert.deepStrictEqual(open(ask(log, day(30))), {})
  })

  it("is none by what the worker recorded of a contract that was signed only after the loss", () => {
    const log = running().map((change) =>
      change.kind === "SIGN"
        ? { ...change, effectiveAt: day(startDay), recordedAt: day(50) }
        : change.kind === "START"
          ? { ...change, recordedAt: day(50) }
          : change
    )
    const { byTime, verdict } = ask(log, day(30))
    assert.strictEqual(verdict, "REFER")
    assert.deepStrictEqual(byTime, { known: "COVERED", knownThen: "NOT_COVERED" })
  })

  it("counts a renewal that the worker merged late, unless a person worked on its branch after the loss", () => {
    const end = startDay + 365
    const renewed = (...people: ReadonlyArray<number>) => {
      const branchId = branchIds[0]
      const terms = [{ path: "/terms", value: 2 }]
      const byWorker = { effectiveAt: day(end), author: renewalsJobName } as const
      return running([
        { ...byWorker, kind: "RENEW", branchId, recordedAt: day(end - 30), patch: terms },
        ...people.map((recorded) => ({
          ...byHand("CONFIRM", end, recorded),
          branchId,
          patch: []
        })),
        { ...byWorker, kind: "REBASE", branchId, recordedAt: day(end + 40), patch: [] },
        { ...byWorker, kind: "UPDATE", recordedAt: day(end + 40), patch: terms },
        { ...byWorker, kind: "QUOTE", recordedAt: day(end + 40), patch: [] }
      ])
    }
    const asked = { knownAt: day(900) }
    const at = day(end + 10)
    assert.deepStrictEqual(ask(renewed(), at, asked).byTime, {
      known: "COVERED",
      knownThen: "COVERED"
    })
    assert.strictEqual(ask(renewed(), at, asked).verdict, "COVERED")
    assert.strictEqual(ask(renewed(end - 3), at, asked).verdict, "COVERED")
    const accepted = ask(renewed(end + 11), at, asked)
    assert.deepStrictEqual(open(accepted), { IN_FORCE: "REFER", RECORDED_AFTER: "REFER" })
    const merged = renewed(end + 11).find(({ kind }) => kind === "UPDATE")!
    assert.deepStrictEqual(check(accepted, "RECORDED_AFTER").changes, [merged.seq])
    // Without the branch it is not known what people did on it.
    const bare = renewed().filter(({ branchId }) => branchId === trunkId)
    assert.strictEqual(ask(bare, at, asked).verdict, "REFER")
  })

  it("ends with its term also where the worker recorded that late", () => {
    const ended = [{ ...worker("STOP", 20, 40), author: renewalsJobName }]
    assert.deepStrictEqual(open(ask(running(ended), day(30))), { IN_FORCE: "FAIL" })
  })

  it("leaves to a person what follows from money that people entered after the loss", () => {
    const log = running([worker("SUSPEND", 20, 20), worker("REACTIVATE", 25, 40)])
    const entered = (at: number, recorded: number) =>
      ask(log, day(30), { moneyByHand: [{ at: day(at), recordedAt: day(recorded) }] })
    assert.strictEqual(ask(log, day(30)).verdict, "COVERED")
    const late = entered(25, 40)
    assert.strictEqual(late.verdict, "REFER")
    assert.deepStrictEqual(late.byTime, { known: "COVERED", knownThen: "NOT_COVERED" })
    // It was entered before the loss, or has come after it.
    assert.strictEqual(entered(25, 29).verdict, "COVERED")
    assert.strictEqual(entered(31, 40).verdict, "COVERED")
    // What takes cover away by law does not come from it.
    const suspended = ask(running([worker("SUSPEND", 20, 41)]), day(30), {
      moneyByHand: [{ at: day(25), recordedAt: day(40) }]
    })
    assert.strictEqual(suspended.verdict, "NOT_COVERED")
  })

  it("is decided by no exclusion of another version of the product, whichever reading has it", () => {
    const excluding = (id: string): Exclusion => ({ id, label: id, reads: [], holds: () => true })
    const versions = { "2": [excluding("NEW")], none: [] } as const
    const asked = (old: ReadonlyArray<Exclusion>, now: ReadonlyArray<Exclusion>) =>
      cover({
        ...questionOf(
          running([
            { ...byHand("UPDATE", 20, 40), patch: [{ path: "/productVersion", value: "2" }] }
          ]),
          day(30)
        ),
        termsOf: (state) => ({
          ...termsOf("NONE")({}),
          exclusions: state.productVersion === "2" ? now : old
        })
      })
    for (const answer of [asked(versions.none, versions["2"]), asked(versions["2"], [])]) {
      assert.deepStrictEqual(open(answer), { EXCLUSION: "REFER", RECORDED_AFTER: "REFER" })
      assert.strictEqual(check(answer, "EXCLUSION").ruleId, "NEW")
    }
    assert.strictEqual(asked(versions["2"], versions["2"]).verdict, "NOT_COVERED")
  })
})
