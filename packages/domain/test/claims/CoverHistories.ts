/** Random histories of one policy, with workers and payments that come late, and changes that people date back. */
import { Arbitrary, Schema } from "effect"
import type { CoverQuestion, CoverTerms } from "../../src/claims/CoverTerms.ts"
import { type Change, origin, type PatchEntry } from "../../src/policies/Change.ts"
import { compileSelection } from "../../src/products/sale/Selected.ts"
import { jobName } from "../../src/requests/Actor.ts"
import { AssetId } from "../../src/values/Ids.ts"
import { fromEpochMillis, type Instant, toEpochMillis } from "../../src/values/Instant.ts"
import { changeId, day, int, trunkId } from "../RandomLogs.ts"

export const assetId = AssetId.make("asset_test_346789ABCDEFGHJKLMNPQ")

/** When the contract is to start, and for how long a term of it lasts. */
export const startDay = 3
const termDays = 14

const selectable = {
  defaultTier: "FULL",
  tiers: [{ id: "FULL", name: "Full", perils: ["RC", "DAMAGE", "THEFT"] }],
  perils: ["RC", "DAMAGE", "THEFT"].map((id) => ({
    id,
    name: id,
    optional: true,
    taxClass: "MOTOR",
    options: [
      {
        id: "OWN",
        name: "Franchise",
        kind: "DEDUCTIBLE" as const,
        default: "LOW",
        values: [
          { id: "LOW", name: "300 €", amount: 30_000 },
          { id: "HIGH", name: "600 €", amount: 60_000 }
        ]
      }
    ]
  }))
}

const select = compileSelection(selectable)

/** `RC` goes on while cover is suspended, `THEFT` waits three days, `DAMAGE` excludes taxis. */
export const termsOf =
  (firstPayment: "GATE" | "NONE") =>
  ({ productVersion = "1" }: { readonly productVersion?: string }): CoverTerms => ({
    product: {
      version: productVersion,
      timeZone: "Europe/Paris",
      activation: { firstPayment, coverFrom: "START_DATE" },
      assets: { type: "VEHICLE", min: 1, max: 1 },
      fields: {
        policy: [],
        customer: [],
        asset: [
          {
            key: "usage",
            label: "Usage",
            type: "STRING",
            requiredFor: "NEVER",
            priced: true,
            example: "PRIVATE"
          }
        ]
      }
    },
    covered: (selection) => {
      const selected = select(selection?.tierId, selection?.perils)
      return "covered" in selected ? selected.covered : []
    },
    perils: {
      RC: { coveredWhileSuspended: true },
      THEFT: { waiting: { amount: 3, unit: "DAY" } }
    },
    exclusions: [
      {
        id: "TAXI",
        label: "Transport de personnes",
        perils: ["DAMAGE"],
        reads: ["usage"],
        holds: (value) => value("usage") === "TAXI"
      }
    ],
    needsDecree: false
  })

const asset = `/assets/${assetId}`
const contract = (value: string): PatchEntry => ({ path: "/contract", value })

type Kinds = Readonly<
  Record<string, (at: Instant, nth: number) => Pick<Change, "author" | "kind" | "patch">>
>

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
  renew: (_, nth) => ({ author: jobName, kind: "RENEW", patch: [{ path: "/terms", value: nth }] }),
  paid: (at) => ({
    author: "user",
    kind: "FIRST_PAYMENT",
    patch: [{ path: "/firstPaidAt", value: at }]
  }),
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

const change = (
  effectiveAt: Instant,
  recordedAt: Instant,
  what: Pick<Change, "author" | "kind" | "patch">
): Omit<Change, "id" | "seq"> => ({ branchId: trunkId, effectiveAt, recordedAt, ...what })

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
  for (const one of unordered.toSorted((a, b) => (a.recordedAt < b.recordedAt ? -1 : 1))) {
    const seq = log.length + 1
    const revertible = log.filter(({ author, kind }) =>
      one.author === jobName ? author === jobName : kind !== "CREATE" && kind !== "SIGN"
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
    const happened = steps.map(({ delay, effective, kind }, index) => {
      const effectiveAt = day(effective)
      const what = kinds[names[kind]!]!(effectiveAt, index + 2)
      // The worker is late, never early; nor is a payment recorded before it was made.
      const isByItself = what.author === jobName || what.kind === "FIRST_PAYMENT"
      const recorded = effective + (isByItself ? Math.abs(delay) : delay)
      return change(effectiveAt, day(Math.max(recorded, 0)), what)
    })
    return {
      changes: numbered(
        [...sale(drawn), ...happened],
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
      knownAt: day(incident + checked),
      termsOf: termsOf(isGated ? "GATE" : "NONE")
    }
  })
)
