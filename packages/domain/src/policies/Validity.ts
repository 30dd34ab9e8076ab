/**
 * The states of a branch taken apart by entity: the policy itself, each customer on it, each asset.
 * A change of one vehicle of a fleet then writes one row, and a read of one entity reads one.
 */
import { canonicalJson } from "../values/CanonicalJson.ts"
import type { Foldable, JsonObject, PatchEntry } from "./Change.ts"
import { effectsOf, type Lineage, visible } from "./ChangeView.ts"
import { Folding } from "./Folding.ts"
import type { Instant } from "../values/Instant.ts"

export type EntityKind = "POLICY" | "CUSTOMER" | "ASSET"

/** The state of one entity of a branch over `[from, to)`; without `to`, for good. */
export interface Validity {
  readonly entityId: string
  readonly entityKind: EntityKind
  readonly from: Instant
  readonly to?: Instant
  readonly state: JsonObject
}

/** One entity's state, as a read at an instant needs it. */
export type EntityState = Pick<Validity, "entityId" | "entityKind" | "state">

/** The validity rows of a branch: maximal intervals of one state for each entity. */
export const ofBranch = (
  changes: ReadonlyArray<Foldable>,
  lineage: Lineage,
  policyId: string
): ReadonlyArray<Validity> => {
  const rows: Array<Row> = []
  /** The rows without an end, by what they are of: a path, or the policy. */
  const open = new Map<string, Row>()
  const folding = new Folding()
  for (const { from, patch } of effectsOf(visible(changes, lineage), lineage)) {
    folding.patch(patch)
    const touched = open.has("") ? touchedBy(patch, open, folding) : ["", ...allOf(folding)]
    for (const path of touched) {
      const row = open.get(path)
      // The fold keeps each customer and asset as an object.
      const state = path === "" ? folding.policy() : (folding.at(path) as JsonObject | undefined)
      if (row !== undefined && state !== undefined && sameState(state, row.state)) continue
      if (row !== undefined) row.to = from
      open.delete(path)
      if (state === undefined) continue
      const next = { ...identityOf(path, policyId), from, state }
      rows.push(next)
      open.set(path, next)
    }
  }
  return rows
}

type Row = { -readonly [K in keyof Validity]: Validity[K] }

/** The entities that a patch lies in, or puts on the policy, or takes from it. */
const touchedBy = (
  patch: ReadonlyArray<PatchEntry>,
  open: ReadonlyMap<string, Row>,
  folding: Folding
): Iterable<string> => {
  const touched = new Set<string>()
  for (const { path } of patch) {
    const [, first, id] = path.split("/")
    if (first !== "customers" && first !== "assets") touched.add("")
    else if (id !== undefined) touched.add(`/${first}/${id}`)
    // A whole map was replaced: any of its entities may have come or gone.
    else for (const entity of [...open.keys(), ...allOf(folding)]) touched.add(entity)
  }
  return touched
}

const allOf = (folding: Folding): ReadonlyArray<string> =>
  ["/customers", "/assets"].flatMap((map) =>
    Object.keys(folding.at(map) ?? {}).map((id) => `${map}/${id}`)
  )

const identityOf = (path: string, policyId: string): Pick<Validity, "entityId" | "entityKind"> => {
  if (path === "") return { entityId: policyId, entityKind: "POLICY" }
  const [, map, id] = path.split("/")
  return { entityId: id!, entityKind: map === "assets" ? "ASSET" : "CUSTOMER" }
}

/** Puts a branch's entities together again into the state that its fold has. */
export const toState = (
  rows: ReadonlyArray<Pick<Validity, "entityId" | "entityKind" | "state">>
): JsonObject => {
  const of = (kind: EntityKind) =>
    Object.fromEntries(
      rows.filter((row) => row.entityKind === kind).map((row) => [row.entityId, row.state])
    )
  const policy = rows.find((row) => row.entityKind === "POLICY")
  return { ...policy?.state, customers: of("CUSTOMER"), assets: of("ASSET") }
}

// What a patch does not touch is shared between states, so most comparisons end at identity.
const sameState = (a: JsonObject, b: JsonObject): boolean =>
  a === b || canonicalJson(a) === canonicalJson(b)
