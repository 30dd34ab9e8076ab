import { assert, describe, it } from "@effect/vitest"
import { cover, isByLaw } from "../../src/claims/Cover.ts"
import type { CoverQuestion, CoverTerms, Exclusion } from "../../src/claims/CoverTerms.ts"
import type { Change, PatchEntry } from "../../src/policies/Change.ts"
import { jobName } from "../../src/requests/Actor.ts"
import { fromEpochMillis, type Instant, toEpochMillis } from "../../src/values/Instant.ts"
import { localDate } from "../../src/values/TimeZone.ts"
import { add } from "../Recording.ts"
import { day, runs, trunkId } from "../RandomLogs.ts"
import { assetId, CoverQuestions, startDay, termsOf } from "./CoverHistories.ts"
import { reading } from "./NaiveCover.ts"

/** Signed before its start and started by a worker on time. */
const running = (more: ReadonlyArray<Partial<Change>> = []): ReadonlyArray<Change> => {
  const data: ReadonlyArray<PatchEntry> = [
    { path: "/startedAt", value: day(startDay) },
    { path: "/periodDuration", value: { amount: 1, unit: "YEAR" } },
    { path: "/customFields", value: {} },
    { path: "/customers", value: {} },
    { path: "/assets", value: {} },
    {
      path: `/assets/${assetId}`,
      value: { seq: 1, type: "VEHICLE", customFields: { usage: "PRIVATE" } }
    }
  ]
  const first: ReadonlyArray<Partial<Change>> = [
    { kind: "CREATE", effectiveAt: day(0), recordedAt: day(0), patch: data },
    {
      kind: "SIGN",
      effectiveAt: day(1),
      recordedAt: day(1),
      patch: [
        { path: "/signedAt", value: day(1) },
        { path: "/contract", value: "NOT_STARTED" }
      ]
    },
    worker("START", startDay, startDay)
  ]
  return [...first, ...more].reduce<ReadonlyArray<Change>>(add, [])
}

const patches: Readonly<Record<string, ReadonlyArray<PatchEntry>>> = {
  START: [{ path: "/contract", value: "STARTED" }],
  REACTIVATE: [{ path: "/contract", value: "STARTED" }],
  SUSPEND: [{ path: "/contract", value: "SUSPENDED" }],
  STOP: [{ path: "/contract", value: "STOPPED" }],
  REINSTATE: [{ path: "/contract", value: "STARTED" }]
}

const worker = (kind: Change["kind"], effective: number, recorded: number): Partial<Change> => ({
  ...byHand(kind, effective, recorded),
  author: jobName
})

const byHand = (kind: Change["kind"], effective: number, recorded: number): Partial<Change> => ({
  kind,
  effectiveAt: day(effective),
  recordedAt: day(recorded),
  patch: patches[kind] ?? []
})

const before = (instant: Instant) => fromEpochMillis(toEpochMillis(instant) - 1)

const ask = (
  changes: ReadonlyArray<Change>,
  at: Instant,
  {
    terms = {},
    ...more
  }: Partial<Omit<CoverQuestion, "termsOf">> & { readonly terms?: Partial<CoverTerms> } = {}
) =>
  cover({
    changes,
    base: { branchId: trunkId },
    incident: { at, timeZone: "Europe/Paris", country: "FR" },
    line: { perilId: "DAMAGE", assetId },
    facts: {},
    declaredAt: at,
    knownAt: day(300),
    termsOf: (state) => ({ ...termsOf("NONE")(state), ...terms }),
    ...more
  })

type Asked = ReturnType<typeof ask>

/** The checks that do not pass, with their outcome. */
const open = ({ checks }: Asked): Readonly<Record<string, string>> =>
  Object.fromEntries(
    checks.flatMap(({ id, outcome }) => (outcome === "PASS" ? [] : [[id, outcome]]))
  )
const check = ({ checks }: Asked, id: string) => checks.find((one) => one.id === id)!

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
      ...byHand("FIRST_PAYMENT", 29, 60),
      patch: [{ path: "/firstPaidAt", value: day(29) }]
    })
    assert.strictEqual(ask(paid, day(30), { terms }).verdict, "COVERED")
    assert.strictEqual(ask(paid, day(28), { terms }).verdict, "NOT_COVERED")
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
      const { changes, incident, knownAt } = question
      const known = changes.filter(({ recordedAt }) => recordedAt <= knownAt)
      const isKnownThen = (change: Change) => change.recordedAt <= incident.at || isByLaw(change)
      const now = reading(question, known)
      const then = reading(question, known.filter(isKnownThen))
      const answer = cover(question)
      for (const { id, outcome } of answer.checks) {
        const [a, b] = [now[id] ?? "PASS", then[id] ?? "PASS"]
        if (id !== "RECORDED_AFTER") assert.strictEqual(outcome, a === b ? a : "REFER", id)
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
      for (const seq of named) assert.isFalse(isKnownThen(changes[seq - 1]!))
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
