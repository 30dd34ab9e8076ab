/**
 * The states of a branch taken apart by entity: the policy itself, each customer on it, each asset.
 * A change of one vehicle of a fleet then writes one row, and a read of one entity reads one.
 */
import { canonicalJson } from "./CanonicalJson.ts"
import type { Foldable, JsonObject } from "./Change.ts"
import { type Lineage, segments } from "./ChangeView.ts"
import type { Instant } from "./Instant.ts"

export type EntityKind = "POLICY" | "CUSTOMER" | "ASSET"

/** The state of one entity of a branch over `[from, to)`; without `to`, for good. */
export interface Validity {
  readonly entityId: string
  readonly entityKind: EntityKind
  readonly from: Instant
  readonly to?: Instant
  readonly state: JsonObject
}

/** The validity rows of a branch: maximal intervals of one state for each entity. */
export const ofBranch = (
  changes: ReadonlyArray<Foldable>,
  lineage: Lineage,
  policyId: string
): ReadonlyArray<Validity> => {
  const rows: Array<{ -readonly [K in keyof Validity]: Validity[K] }> = []
  const open = new Map<string, (typeof rows)[number]>()
  for (const segment of segments(changes, lineage)) {
    const present = entities(segment.state, policyId)
    for (const [entityId, row] of open) {
      const next = present.get(entityId)?.state
      if (next !== undefined && sameState(next, row.state)) continue
      row.to = segment.from
      open.delete(entityId)
    }
    for (const [entityId, { kind, state }] of present) {
      if (open.has(entityId)) continue
      const row = { entityId, entityKind: kind, from: segment.from, state }
      rows.push(row)
      open.set(entityId, row)
    }
  }
  return rows
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

const entities = (state: JsonObject, policyId: string) => {
  const { assets = {}, customers = {}, ...policy } = state
  const result = new Map<string, { readonly kind: EntityKind; readonly state: JsonObject }>()
  result.set(policyId, { kind: "POLICY", state: policy })
  // The fold keeps customers and assets as objects by identifier, each entry an object.
  for (const [id, value] of Object.entries(customers as Record<string, JsonObject>)) {
    result.set(id, { kind: "CUSTOMER", state: value })
  }
  for (const [id, value] of Object.entries(assets as Record<string, JsonObject>)) {
    result.set(id, { kind: "ASSET", state: value })
  }
  return result
}

// What a patch does not touch is shared between states, so most comparisons end at identity.
const sameState = (a: JsonObject, b: JsonObject): boolean =>
  a === b || canonicalJson(a) === canonicalJson(b)
