import { BranchRequired, takesData } from "@quittance/domain/policies/Branch"
import { origin, type PatchEntry } from "@quittance/domain/policies/Change"
import { presenceOf } from "@quittance/domain/policies/ChangeView"
import { type Instant, max } from "@quittance/domain/values/Instant"
import { type Draft, update } from "@quittance/domain/policies/PolicyCommands"
import type { PolicyState } from "@quittance/domain/policies/PolicyState"
import type { InvalidCustomField } from "@quittance/domain/products/ProductFields"
import { pricedDiffers } from "@quittance/domain/policies/PricedTimeline"
import { Effect, Result } from "effect"
import { type Judged, writtenFields } from "@quittance/domain/policies/aggregate/DataOverTime"
import { withinWindow } from "./PolicyChecks.ts"
import {
  defaultEffect,
  effectOf,
  lineageOf,
  type PolicyAggregate,
  positionOf,
  presentState,
  stateOf,
  withDrafts
} from "@quittance/domain/policies/aggregate/PolicyAggregate"
import {
  InvalidEffectiveDate,
  type InvalidTransition
} from "@quittance/domain/requests/RequestErrors"

/** What a change of a policy's, a customer's or an asset's data may answer. */
export type DataFailure =
  | BranchRequired
  | InvalidCustomField
  | InvalidEffectiveDate
  | InvalidTransition

/** What a patch of data leads to: the changes to record, and the branch's state with them. */
export interface DataChange {
  readonly drafts: ReadonlyArray<Draft>
  readonly after: PolicyState
  /** The branch with them. */
  readonly judged: Judged
  readonly effectiveAt: Instant
}

/**
 * The changes that a patch of data makes on an open policy, judged with the patch in place.
 *
 * @param field the member of the request that says `whenAt`
 */
export const dataChange = Effect.fnUntraced(function* (
  policy: PolicyAggregate,
  patch: ReadonlyArray<PatchEntry>,
  whenAt: Instant | undefined,
  field: InvalidEffectiveDate["field"] = "whenAt"
): Effect.fn.Return<DataChange, DataFailure> {
  const { branch, changes, product, productOf, state } = policy
  if (!takesData(branch.branchType)) {
    const paths = patch.map(({ path }) => path)
    return yield* new BranchRequired({ paths, branchType: "MTA" })
  }
  const effectiveAt = yield* effectiveAtOf(policy, patch, { field, whenAt })
  const next = withDrafts(policy, [{ kind: "UPDATE", effectiveAt, patch }])
  const onTrunk = branch.branchType === "BASE"
  const priced = pricedDiffers(changes, next.changes, next.lineage, productOf)
  const isSale = branch.branchType === "NEW_BUSINESS"
  const before = isSale ? state : stateOf(changes, next.lineage, effectiveAt)
  const position = positionOf(policy, before)
  const present = presentState(policy)
  const target = { product, before, present, position, priced, onTrunk, patch, effectiveAt }
  const decided = update(target)
  const judged = { ...next, productOf }
  const isElsewhere = Result.isFailure(decided) && decided.failure instanceof BranchRequired
  // What no branch takes either is told as such.
  if (Result.isSuccess(decided) || isElsewhere) {
    yield* Effect.fromResult(writtenFields(changes, judged))
  }
  const drafts = yield* Effect.fromResult(decided)
  return { drafts, after: next.state, judged, effectiveAt }
})

/**
 * When a patch takes effect: at the request's instant, else at the branch's and never before that, since
 * nothing prices it there; and only while the customer or asset that it changes is on the policy:
 * elsewhere it would be lost, or half of one.
 */
const effectiveAtOf = Effect.fnUntraced(function* (
  { branch, branches, changes, now, product }: PolicyAggregate,
  patch: ReadonlyArray<PatchEntry>,
  {
    field,
    whenAt
  }: { readonly field: InvalidEffectiveDate["field"]; readonly whenAt: Instant | undefined }
): Effect.fn.Return<Instant, InvalidEffectiveDate> {
  const lineage = lineageOf(branches, branch)
  const changed = [...new Set(patch.filter(isOfPresent).map(({ path }) => entityOf(path)))]
  const presences = changed.flatMap((path) => presenceOf(changes, lineage, path) ?? [])
  const since = presences.reduce(
    (at, presence) => max(at, presence.since),
    effectOf(branches, branch) ?? origin
  )
  if (whenAt !== undefined) yield* withinWindow(product, "change", field, whenAt, now)
  const effectiveAt = whenAt ?? max(defaultEffect(branch, now), since)
  const gone = presences.find(({ until }) => until !== undefined && until <= effectiveAt)
  if (effectiveAt < since || gone?.until !== undefined) {
    const latest = gone?.until === undefined ? {} : { latest: gone.until }
    return yield* new InvalidEffectiveDate({ field, earliest: since, ...latest })
  }
  return effectiveAt
})

/** Whether a customer or asset is on the branch at any time: what is changed of it elsewhere would be lost. */
export const isOnBranch = (
  { branch, branches, changes }: PolicyAggregate,
  path: `/assets/${string}` | `/customers/${string}`
): boolean => presenceOf(changes, lineageOf(branches, branch), path) !== undefined

/** The customer or asset that a path lies in, as a path. */
const entityOf = (path: string): string => path.split("/").slice(0, 3).join("/")

/** Whether an entry is about a customer or asset that is there: all but the one that puts it there. */
const isOfPresent = (entry: PatchEntry): boolean =>
  "removed" in entry || entityOf(entry.path) !== entry.path
