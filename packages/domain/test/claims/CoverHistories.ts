/**
 * Random histories of one policy: workers, renewals and payments that come late, money that people enter, and
 * changes that people date back.
 */
import { Arbitrary, Schema } from "effect"
import type { CoverQuestion } from "../../src/claims/CoverTerms.ts"
import { type Change, origin, type PatchEntry } from "../../src/policies/Change.ts"
import { jobName, renewalsJobName } from "../../src/requests/Actor.ts"
import { BranchId } from "../../src/values/Ids.ts"
import { fromEpochMillis, type Instant, toEpochMillis } from "../../src/values/Instant.ts"
import { changeId, day, int, trunkId } from "../RandomLogs.ts"
import { assetId, startDay, termsOf } from "./VehicleTerms.ts"

/** For how long a term lasts. */
const termDays = 14

const asset = `/assets/${assetId}`
const contract = (value: string): PatchEntry => ({ path: "/contract", value })

type Kinds = Readonly<
  Record<string, (at: Instant, nth: number) => Pick<Change, "author" | "kind" | "patch">>
>

/** The worker records it, whether a bank or a person has told of the money. */
const paid = (at: Instant) => ({
  author: jobName,
  kind: "FIRST_PAYMENT" as const,
  patch: [{ path: "/firstPaidAt", value: at }]
})

const ended = (at: Instant): ReadonlyArray<PatchEntry> => [
  { path: "/stop", value: { reason: "ENDED" } },
  { path: "/endedAt", value: at },
  contract("STOPPED"),
  { path: "/stoppedAt", value: at }
]

const suspended: ReadonlyArray<PatchEntry> = [
  contract("SUSPENDED"),
  { path: "/suspension", value: { reason: "UNPAID_PREMIUM" } }
]

const reactivated: ReadonlyArray<PatchEntry> = [
  contract("STARTED"),
  { path: "/suspension", removed: true }
]

const reinstated: ReadonlyArray<PatchEntry> = [
  contract("STARTED"),
  ...["/stop", "/endedAt", "/stoppedAt"].map((path): PatchEntry => ({ path, removed: true }))
]

const chosen = (choice: object): ReadonlyArray<PatchEntry> => [
  { path: "/selection", value: { tierId: "FULL", perils: [choice as never] } }
]

const onPolicy = (usage: string, startedAt?: Instant): PatchEntry => ({
  path: asset,
  value: {
    seq: 2,
    type: "VEHICLE",
    customFields: { usage },
    ...(startedAt === undefined ? {} : { startedAt })
  }
})

/** What may happen, by whom. */
const kinds: Kinds = {
  suspend: () => ({ author: jobName, kind: "SUSPEND", patch: suspended }),
  reactivate: () => ({ author: jobName, kind: "REACTIVATE", patch: reactivated }),
  unpaid: (at) => ({ author: jobName, kind: "STOP", patch: ended(at) }),
  renew: (_, nth) => ({
    author: renewalsJobName,
    kind: "UPDATE",
    patch: [{ path: "/terms", value: nth }]
  }),
  reoffer: () => ({
    author: renewalsJobName,
    kind: "UPDATE",
    patch: [{ path: "/productVersion", value: "2" }]
  }),
  expire: (at) => ({ author: renewalsJobName, kind: "STOP", patch: ended(at) }),
  paid: (at) => paid(at),
  paidByHand: (at) => paid(at),
  start: () => ({ author: jobName, kind: "START", patch: [contract("STARTED")] }),
  undoOfWorker: () => ({ author: jobName, kind: "REVERT", patch: [] }),
  suspendByHand: () => ({ author: "user", kind: "SUSPEND", patch: suspended }),
  reactivateByHand: () => ({ author: "user", kind: "REACTIVATE", patch: reactivated }),
  stop: (at) => ({ author: "user", kind: "STOP", patch: ended(at) }),
  reinstate: () => ({ author: "user", kind: "REINSTATE", patch: reinstated }),
  undo: () => ({ author: "user", kind: "REVERT", patch: [] }),
  drop: () => ({ author: "user", kind: "UPDATE", patch: chosen({ id: "THEFT", included: false }) }),
  raise: () => ({
    author: "user",
    kind: "UPDATE",
    patch: chosen({ id: "DAMAGE", options: { OWN: "HIGH" } })
  }),
  choose: () => ({ author: "user", kind: "UPDATE", patch: chosen({ id: "RC" }) }),
  taxi: () => ({
    author: "user",
    kind: "UPDATE",
    patch: [{ path: `${asset}/customFields/usage`, value: "TAXI" }]
  }),
  leave: (at) => ({
    author: "user",
    kind: "UPDATE",
    patch: [{ path: `${asset}/stoppedAt`, value: at }]
  }),
  remove: () => ({ author: "user", kind: "UPDATE", patch: [{ path: asset, removed: true }] }),
  enter: (at) => ({ author: "user", kind: "UPDATE", patch: [onPolicy("PRIVATE", at)] }),
  reprice: () => ({
    author: "user",
    kind: "UPDATE",
    patch: [{ path: "/productVersion", value: "2" }]
  })
}
const names = Object.keys(kinds)

const Step = Schema.Struct({
  kind: int(0, names.length - 1),
  effective: int(0, 30),
  /** Days until it was recorded; what is dated ahead is recorded before. */
  delay: int(-4, 8),
  target: int(0, 30)
})

const Drawn = Schema.Struct({
  steps: Schema.Array(Step).check(Schema.isMaxLength(14)),
  signed: int(0, 8),
  startDelay: int(0, 6),
  isGated: Schema.Boolean,
  incident: int(0, 34),
  /** The instant before a day as well: intervals are half open. */
  isJustBefore: Schema.Boolean,
  checked: int(0, 14),
  peril: int(0, 2),
  isAssetKnown: int(0, 9)
})

type Unnumbered = Omit<Change, "id" | "seq">

const change = (
  effectiveAt: Instant,
  recordedAt: Instant,
  what: Pick<Change, "author" | "kind" | "patch">
): Unnumbered => ({ branchId: trunkId, effectiveAt, recordedAt, ...what })

/** A renewal as the worker merges it: from a branch that it offers, that people may change, and that it rebases. */
const merged = (
  onBase: Unnumbered,
  recorded: number,
  { nth, target }: { readonly nth: number; readonly target: number }
): ReadonlyArray<Unnumbered> => {
  const branchId = BranchId.make(`branch_test_${changeId(nth).slice("change_test_".length)}`)
  const { effectiveAt, patch } = onBase
  const on = (daysBefore: number, author: string, kind: Change["kind"]): Unnumbered => ({
    branchId,
    effectiveAt,
    recordedAt: day(Math.max(recorded - daysBefore, 0)),
    author,
    kind,
    patch: kind === "RENEW" ? patch : []
  })
  return [
    on(7, renewalsJobName, "RENEW"),
    ...(target % 3 === 0 ? [] : [on(target % 7, "user", "CONFIRM")]),
    on(0, renewalsJobName, "REBASE"),
    onBase
  ]
}

const sale = ({ signed, startDelay }: typeof Drawn.Type) => {
  const startedAt = day(startDay)
  const data: ReadonlyArray<PatchEntry> = [
    { path: "/startedAt", value: startedAt },
    { path: "/periodDuration", value: { amount: termDays, unit: "DAY" } },
    { path: "/customFields", value: {} },
    { path: "/customers", value: {} },
    { path: "/assets", value: {} },
    onPolicy("PRIVATE")
  ]
  const sign: ReadonlyArray<PatchEntry> = [
    { path: "/signedAt", value: day(signed) },
    contract("NOT_STARTED")
  ]
  const from = signed < startDay ? day(signed) : startedAt
  const started = Math.max(signed, startDay) + startDelay
  return [
    change(origin, day(0), { author: "user", kind: "CREATE", patch: data }),
    change(from, day(signed), { author: "user", kind: "SIGN", patch: sign }),
    change(startedAt, day(started), kinds.start!(startedAt, 0))
  ]
}

const numbered = (
  unordered: ReadonlyArray<Omit<Change, "id" | "seq">>,
  targets: ReadonlyArray<number>
): ReadonlyArray<Change> => {
  const log: Array<Change> = []
  for (const one of unordered.toSorted(
    (a, b) => toEpochMillis(a.recordedAt) - toEpochMillis(b.recordedAt)
  )) {
    const seq = log.length + 1
    const revertible = log.filter(
      ({ author, branchId, kind }) =>
        branchId === trunkId &&
        (one.author === jobName ? author === jobName : kind !== "CREATE" && kind !== "SIGN")
    )
    const target = revertible[targets[seq % Math.max(targets.length, 1)]! % revertible.length]
    // A revert takes effect where what it reverts did.
    const reverts =
      one.kind === "REVERT" && target !== undefined
        ? { reverts: target.id, effectiveAt: target.effectiveAt }
        : {}
    log.push({ ...one, id: changeId(seq), seq, ...reverts })
  }
  return log
}

export const CoverQuestions: Arbitrary.Arbitrary<CoverQuestion> = Arbitrary.schema(Drawn).pipe(
  Arbitrary.map((drawn): CoverQuestion => {
    const { checked, incident, isAssetKnown, isGated, isJustBefore, peril, steps } = drawn
    const at = fromEpochMillis(toEpochMillis(day(incident)) - (isJustBefore ? 1 : 0))
    const happened = steps.map(({ delay, effective, kind, target }, index) => {
      const effectiveAt = day(effective)
      const nth = index + 2
      const what = kinds[names[kind]!]!(effectiveAt, nth)
      // The worker is late, never early; nor is a payment recorded before it was made.
      const recorded = Math.max(effective + (what.author === "user" ? delay : Math.abs(delay)), 0)
      const one = change(effectiveAt, day(recorded), what)
      const isMerge = what.author === renewalsJobName && what.kind === "UPDATE"
      return {
        name: names[kind],
        one,
        all: isMerge ? merged(one, recorded, { nth, target }) : [one]
      }
    })
    return {
      changes: numbered(
        [...sale(drawn), ...happened.flatMap(({ all }) => all)],
        steps.map(({ target }) => target)
      ),
      base: { branchId: trunkId },
      incident: { at, timeZone: "Europe/Paris", country: "FR" },
      line: {
        perilId: ["RC", "DAMAGE", "THEFT"][peril]!,
        ...(isAssetKnown === 0 ? {} : { assetId })
      },
      facts: {},
      declaredAt: at,
      moneyByHand: happened
        .filter(({ name }) => name === "paidByHand")
        .map(({ one: { effectiveAt, recordedAt } }) => ({ at: effectiveAt, recordedAt })),
      knownAt: day(incident + checked),
      termsOf: termsOf(isGated ? "GATE" : "NONE")
    }
  })
)
