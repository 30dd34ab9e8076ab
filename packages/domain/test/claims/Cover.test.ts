import { assert, describe, it } from "@effect/vitest"
import { cover } from "../../src/claims/Cover.ts"
import type { Exclusion } from "../../src/claims/CoverTerms.ts"
import type { Change } from "../../src/policies/Change.ts"
import { fromEpochMillis, type Instant } from "../../src/values/Instant.ts"
import { localDate } from "../../src/values/TimeZone.ts"
import { add } from "../Recording.ts"
import { day, runs } from "../RandomLogs.ts"
import { CoverQuestions } from "./CoverHistories.ts"
import { isKnownThen, reading } from "./NaiveCover.ts"
import { ask, before, byHand, check, open, running, worker } from "./RunningContract.ts"
import { assetId, startDay, termsOf } from "./VehicleTerms.ts"

describe("cover at the instant of the loss", () => {
  it("is none before the start, and none from the instant of a stop or suspension on", () => {
    assert.deepStrictEqual(open(ask(running(), before(day(startDay)))), {
      IN_FORCE: "FAIL",
      ASSET: "FAIL",
      // The usage of an asset that is not on the policy is not known.
      EXCLUSION: "REFER"
    })
    assert.strictEqual(ask(running(), day(startDay)).verdict, "COVERED")
    for (const kind of ["STOP", "SUSPEND"] as const) {
      const log = running([worker(kind, 20, 20)])
      assert.strictEqual(ask(log, before(day(20))).verdict, "COVERED")
      assert.deepStrictEqual(open(ask(log, day(20))), { IN_FORCE: "FAIL" })
    }
  })

  it("begins at the planned start where the worker has not recorded it", () => {
    const log = running().slice(0, 2)
    assert.strictEqual(ask(log, day(startDay)).verdict, "COVERED")
    assert.strictEqual(check(ask(log, before(day(startDay))), "IN_FORCE").outcome, "FAIL")
  })

  it("waits for a first premium by when it was paid, and asks where that is on its way", () => {
    const gated = { activation: { firstPayment: "GATE", coverFrom: "START_DATE" } } as const
    const terms = { product: { ...termsOf("GATE")({}).product, ...gated } }
    const unpaid = running().slice(0, 2)
    assert.strictEqual(ask(unpaid, day(30), { terms }).verdict, "NOT_COVERED")
    assert.deepStrictEqual(open(ask(unpaid, day(30), { terms, firstPremiumInFlight: true })), {
      IN_FORCE: "REFER"
    })
    const paid = add(unpaid, {
      ...worker("FIRST_PAYMENT", 29, 60),
      patch: [{ path: "/firstPaidAt", value: day(29) }]
    })
    assert.strictEqual(ask(paid, day(30), { terms }).verdict, "COVERED")
    assert.strictEqual(ask(paid, day(28), { terms }).verdict, "NOT_COVERED")
  })

  it("is none by a peril that is not one of the loss type, and not known for an unknown type", () => {
    const perils = (perilsOfType?: ReadonlyArray<string>) =>
      open(ask(running(), day(30), { terms: { perilsOfType } }))
    assert.deepStrictEqual(perils(["DAMAGE"]), {})
    assert.deepStrictEqual(perils(["THEFT"]), { PERIL: "FAIL" })
    assert.deepStrictEqual(perils(), { PERIL: "REFER" })
  })

  it("is not known once the agreed term is over and nothing followed", () => {
    assert.deepStrictEqual(open(ask(running(), day(startDay + 365), { knownAt: day(900) })), {
      IN_FORCE: "REFER"
    })
  })

  it("counts a waiting period from the first day of the peril, past suspensions, and anew after a gap", () => {
    const theft = { line: { perilId: "THEFT", assetId } }
    const waitsAt = (log: ReadonlyArray<Change>, at: Instant) =>
      check(ask(log, at, theft), "WAITING_PERIOD").outcome
    // Three local days from 4 January, in Paris an hour ahead of UTC.
    const over = fromEpochMillis(Date.UTC(2026, 0, 6, 23))
    assert.strictEqual(waitsAt(running(), before(over)), "FAIL")
    assert.strictEqual(waitsAt(running(), over), "PASS")
    const resumed = running([worker("SUSPEND", 20, 20), worker("REACTIVATE", 25, 25)])
    assert.strictEqual(waitsAt(resumed, day(26)), "PASS")
    const reinstated = running([byHand("STOP", 20, 20), byHand("REINSTATE", 25, 25)])
    assert.strictEqual(waitsAt(reinstated, day(26)), "FAIL")
  })

  it("asks for an unknown fact, place or asset, and takes none of them for false", () => {
    const alcohol: Exclusion = {
      id: "ALCOHOL",
      label: "Alcoolémie",
      reads: ["bloodAlcohol"],
      holds: (value) => Number(value("bloodAlcohol")) >= 50
    }
    const terms = { exclusions: [alcohol], perils: { DAMAGE: { territory: ["FR", "BE"] } } }
    const [unknown, sober, drunk] = [{}, { bloodAlcohol: 0 }, { bloodAlcohol: 50 }].map((facts) =>
      ask(running(), day(30), { terms, facts })
    )
    assert.deepStrictEqual(check(unknown!, "EXCLUSION").asks, ["bloodAlcohol"])
    assert.strictEqual(unknown!.verdict, "REFER")
    assert.strictEqual(sober!.verdict, "COVERED")
    assert.strictEqual(drunk!.verdict, "NOT_COVERED")
    const at = (country?: string) =>
      check(
        ask(running(), day(30), {
          terms,
          incident: { at: day(30), timeZone: "Europe/Paris", country }
        }),
        "TERRITORY"
      ).outcome
    assert.deepStrictEqual([at("BE"), at("GB"), at()], ["PASS", "FAIL", "REFER"])
    assert.strictEqual(
      check(ask(running(), day(30), { line: { perilId: "RC" } }), "ASSET").outcome,
      "REFER"
    )
  })

  it("asks where a decree is missing, the declaration is late or contradicts the price", () => {
    const terms = {
      needsDecree: true,
      deductible: { amount: 38_000 },
      declareWithin: { days: 30, working: false, from: "DECREE_PUBLISHED" }
    } as const
    const pending = ask(running(), day(30), { terms, declaredAt: day(200) })
    assert.deepStrictEqual(open(pending), { DECREE: "REFER" })
    assert.deepStrictEqual(pending.deductible, { amount: 38_000 })
    const late = ask(running(), day(30), {
      terms,
      // 31 January to 2 March.
      decreePublishedOn: localDate(day(30), "Europe/Paris"),
      declaredAt: fromEpochMillis(Date.UTC(2026, 2, 2, 23))
    })
    assert.deepStrictEqual(open(late), { DECLARED_IN_TIME: "REFER" })
    const contradicted = ask(running(), day(30), { facts: { usage: "DELIVERY" } })
    assert.deepStrictEqual(open(contradicted), { DECLARATION: "REFER" })
  })

  it("goes by the limit of the option chosen then, less what it paid for before", () => {
    const limited = (used: number) =>
      ask(running(), day(30), { used, terms: { perils: { DAMAGE: { limitOption: "OWN" } } } })
    assert.strictEqual(limited(10_000).limitLeft, 20_000)
    assert.strictEqual(limited(40_000).limitLeft, 0)
    assert.deepStrictEqual(limited(0).deductible, { amount: 30_000 })
  })

  it.prop(
    "is what a naive reading makes of it, with late workers, late payments and changes dated back",
    [CoverQuestions],
    ([question]) => {
      const { changes, knownAt } = question
      const known = changes.filter(({ recordedAt }) => recordedAt <= knownAt)
      const wasKnown = (change: Change) => isKnownThen(question, change)
      const now = reading(question, known)
      const then = reading(question, known.filter(wasKnown))
      const answer = cover(question)
      const told = new Map(
        answer.checks.map(({ id, outcome, ruleId }) => [
          ruleId === undefined ? id : `${id} ${ruleId}`,
          outcome
        ])
      )
      const asked = [...told.keys(), ...Object.keys(now), ...Object.keys(then)]
      for (const id of asked.filter((key) => key !== "RECORDED_AFTER" && key !== "deductible")) {
        const [a, b] = [now[id] ?? "PASS", then[id] ?? "PASS"]
        assert.strictEqual(told.get(id) ?? "PASS", a === b ? a : "REFER", id)
      }
      assert.deepStrictEqual(
        answer.deductible,
        now.deductible === undefined ? undefined : { amount: Number(now.deductible) }
      )
      const after = check(answer, "RECORDED_AFTER")
      if (Object.keys(now).some((id) => now[id] !== then[id])) {
        assert.strictEqual(after.outcome, "REFER")
      }
      const named = after.changes ?? []
      assert.strictEqual(named.length > 0, after.outcome === "REFER")
      for (const seq of named) assert.isFalse(wasKnown(changes[seq - 1]!))
      const outcomes = new Set(answer.checks.map(({ outcome }) => outcome))
      assert.strictEqual(
        answer.verdict,
        outcomes.has("FAIL") ? "NOT_COVERED" : outcomes.has("REFER") ? "REFER" : "COVERED"
      )
    },
    runs
  )

  it.prop(
    "stays the answer of an instant, whatever is recorded after it",
    [CoverQuestions],
    ([question]) => {
      const prefix = question.changes.filter(({ recordedAt }) => recordedAt <= question.knownAt)
      assert.deepStrictEqual(cover({ ...question, changes: prefix }), cover(question))
    },
    { ...runs, arbitrary: { ...runs.arbitrary, runs: 100 } }
  )
})
