/** A contract that runs, what happens to it, and whether a loss is covered by it. */
import { cover } from "../../src/claims/Cover.ts"
import type { CoverQuestion, CoverTerms } from "../../src/claims/CoverTerms.ts"
import type { Change, PatchEntry } from "../../src/policies/Change.ts"
import { jobName } from "../../src/requests/Actor.ts"
import { fromEpochMillis, type Instant, toEpochMillis } from "../../src/values/Instant.ts"
import { add } from "../Recording.ts"
import { day, trunkId } from "../RandomLogs.ts"
import { assetId, startDay, termsOf } from "./VehicleTerms.ts"

/** Signed before its start and started by a worker on time. */
export const running = (more: ReadonlyArray<Partial<Change>> = []): ReadonlyArray<Change> => {
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

export const worker = (
  kind: Change["kind"],
  effective: number,
  recorded: number
): Partial<Change> => ({
  ...byHand(kind, effective, recorded),
  author: jobName
})

export const byHand = (
  kind: Change["kind"],
  effective: number,
  recorded: number
): Partial<Change> => ({
  kind,
  effectiveAt: day(effective),
  recordedAt: day(recorded),
  patch: patches[kind] ?? []
})

export const before = (instant: Instant) => fromEpochMillis(toEpochMillis(instant) - 1)

export const ask = (
  changes: ReadonlyArray<Change>,
  at: Instant,
  {
    terms = {},
    ...more
  }: Partial<Omit<CoverQuestion, "termsOf">> & { readonly terms?: Partial<CoverTerms> } = {}
) =>
  cover({
    ...questionOf(changes, at),
    termsOf: (state) => ({ ...termsOf("NONE")(state), ...terms }),
    ...more
  })

export const questionOf = (changes: ReadonlyArray<Change>, at: Instant): CoverQuestion => ({
  changes,
  base: { branchId: trunkId },
  incident: { at, timeZone: "Europe/Paris", country: "FR" },
  line: { perilId: "DAMAGE", assetId },
  facts: {},
  declaredAt: at,
  moneyByHand: [],
  knownAt: day(300),
  termsOf: termsOf("NONE")
})

type Asked = ReturnType<typeof ask>

/** The checks that do not pass, with their outcome. */
export const open = ({ checks }: Asked): Readonly<Record<string, string>> =>
  Object.fromEntries(
    checks.flatMap(({ id, outcome }) => (outcome === "PASS" ? [] : [[id, outcome]]))
  )
export const check = ({ checks }: Asked, id: string) => checks.find((one) => one.id === id)!
