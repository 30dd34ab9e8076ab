/** A policy as its record stood at an instant of recording: which branches there were, and what they said. */
import type { Fork, StoredBranch } from "./StoredBranch.ts"
import type { Change } from "../Change.ts"
import { type Instant, max } from "../../values/Instant.ts"
import type { PolicyHead } from "../PolicyHead.ts"
import { lineageOf, stateOf } from "./PolicyAggregate.ts"
import type { BranchId } from "../../values/Ids.ts"

/** What is recorded of a policy: its head, its branches, and its log. */
export interface Record {
  readonly head: PolicyHead
  readonly branches: ReadonlyArray<StoredBranch>
  readonly changes: ReadonlyArray<Change>
}

/**
 * The part of a record that there was by an instant; `undefined` where there was nothing yet. Of the head
 * the standing branch, the last change and its time are those of then.
 *
 * @param forks where each branch forked first: a rebase moves it, and the log says to where
 */
export const asKnownAt = (
  { branches, changes, head }: Record,
  forks: ReadonlyMap<BranchId, Fork>,
  knownAt: Instant
): Record | undefined => {
  const known = changes.filter(({ recordedAt }) => recordedAt <= knownAt)
  const [first, last] = [known.at(0), known.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const by = (instant: Instant | null) =>
    instant !== null && instant <= knownAt ? instant : undefined
  const forked = branches.flatMap((branch): ReadonlyArray<StoredBranch> => {
    const own = known.filter(({ branchId }) => branchId === branch.id)
    const newest = own.at(-1)
    if (newest === undefined) return []
    const rebase = own.findLast(({ kind }) => kind === "REBASE")
    const { at, seq } =
      rebase === undefined
        ? forks.get(branch.id)!
        : // Between the fork and the rebase's own change there are but the branch's.
          { at: rebase.recordedAt, seq: rebase.seq }
    const [mergedAt, invalidatedAt] = [by(branch.mergedAt), by(branch.invalidatedAt)]
    const isEnded = mergedAt !== undefined || invalidatedAt !== undefined
    return [
      {
        ...branch,
        status: isEnded ? branch.status : "OPEN",
        mergedAt: mergedAt ?? null,
        invalidatedAt: invalidatedAt ?? null,
        invalidationReason: invalidatedAt === undefined ? null : branch.invalidationReason,
        forkedAt: at,
        forkedSeq: seq,
        seq: newest.seq
      }
    ]
  })
  const staged = forked.map((branch) => ({
    ...branch,
    stage:
      branch.status === "MERGED" ? branch.stage : stateOf(known, lineageOf(forked, branch)).stage
  }))
  const ends = staged.flatMap(({ invalidatedAt, mergedAt }) => mergedAt ?? invalidatedAt ?? [])
  const base = staged.find(({ branchType }) => branchType === "BASE")
  return {
    head: {
      ...head,
      // The first change is the one that opened the policy.
      defaultBranchId: base?.id ?? first.branchId,
      changeSeq: last.seq,
      lastModifiedAt: ends.reduce(max, last.recordedAt)
    },
    branches: staged,
    changes: known
  }
}
