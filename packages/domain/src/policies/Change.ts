/**
 * The change log. A policy's state is the fold of its changes; a change is immutable and says when
 * it takes effect (`effectiveAt`) apart from when we learnt it (`recordedAt`).
 */
import { Schema } from "effect"
import { Author } from "./Branch.ts"
import { Folding } from "./Folding.ts"
import { Instant } from "../values/Instant.ts"
import { BranchId, ChangeId } from "../values/Ids.ts"

export const ChangeKind = Schema.Literals([
  "CREATE",
  "UPDATE",
  "QUOTE",
  "OUTDATE",
  "CONFIRM",
  "REOPEN",
  "SIGN",
  "MERGE",
  "FIRST_PAYMENT",
  "START",
  "SUSPEND",
  "REACTIVATE",
  "ANNOUNCE_STOP",
  "STOP",
  "REINSTATE",
  "RENEW",
  "REBASE",
  "REVERT"
])
export type ChangeKind = typeof ChangeKind.Type

/** Sets what is at a path (`/customFields/power`), or removes it with all below it. */
export const PatchEntry = Schema.Union([
  Schema.Struct({ path: Schema.String, value: Schema.Json }),
  Schema.Struct({ path: Schema.String, removed: Schema.Literal(true) })
])
export type PatchEntry = typeof PatchEntry.Type

export const Change = Schema.Struct({
  id: ChangeId,
  seq: Schema.Int,
  branchId: BranchId,
  kind: ChangeKind,
  effectiveAt: Instant,
  recordedAt: Instant,
  author: Author,
  patch: Schema.Array(PatchEntry),
  /** The change that this one undoes; its own patch is empty. */
  reverts: Schema.optionalKey(ChangeId)
}).annotate({ identifier: "Change" })
export type Change = typeof Change.Type

/** Effective before every date: where new business stands until it is signed. */
// The literal has the canonical form.
export const origin = "0001-01-01T00:00:00.000Z" as Instant

export type JsonObject = { readonly [key: string]: Schema.Json }

/** What the fold needs of a change, recorded or about to be. */
export type Foldable = Pick<
  Change,
  "branchId" | "effectiveAt" | "kind" | "patch" | "recordedAt" | "seq"
> &
  Partial<Pick<Change, "id" | "reverts">>

/** One patch on a state; what the patch does not name is shared, not copied. */
export const apply = (state: JsonObject, patch: ReadonlyArray<PatchEntry>): JsonObject => {
  const folding = new Folding(state)
  folding.patch(patch)
  return folding.state()
}

/** Whether one of two paths is the other or lies below it. */
export const touch = (a: string, b: string): boolean =>
  a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`)

export class ChangeNotFound extends Schema.TaggedError<ChangeNotFound>()("ChangeNotFound", {
  changeId: ChangeId
}) {
  override get message() {
    return `Change ${this.changeId} does not exist; list the policy's changes.`
  }
}

/** A change that cannot be reverted: by its kind, or because it has been reverted already. */
export class ChangeNotRevertible extends Schema.TaggedError<ChangeNotRevertible>()(
  "ChangeNotRevertible",
  { changeId: ChangeId, kind: ChangeKind }
) {
  override get message() {
    return `Change ${this.changeId} (${this.kind}) can't be reverted: it is part of the sale or of a renewal, or is no longer in force.`
  }
}

/** Later changes lie in what a change created. */
export class ChangeHasDependents extends Schema.TaggedError<ChangeHasDependents>()(
  "ChangeHasDependents",
  { changeId: ChangeId, dependents: Schema.Array(ChangeId) }
) {
  override get message() {
    return "Revert the changes listed in details first: they change what this one added."
  }
}

/** What a branch's own steps leave behind: which quote fits, and how far the sale has come. */
export const isBookkeeping = (path: string): boolean => path === "/stage" || path === "/quoteId"

const dataPath =
  /^\/(?:name|externalId|customFields\/[^/]+|(?:assets|customers)\/[^/]+\/(?:name|customFields\/[^/]+))$/u

/**
 * Whether a change of a signed policy's base branch leads to nothing else. It takes effect by `now`, and
 * says only names and fields: neither prices nor payers nor the contract go by those.
 */
export const isOnlyData = (
  { effectiveAt, kind, patch }: Pick<Change, "effectiveAt" | "kind" | "patch">,
  now: Instant
): boolean =>
  kind === "UPDATE" && effectiveAt <= now && patch.every(({ path }) => dataPath.test(path))
