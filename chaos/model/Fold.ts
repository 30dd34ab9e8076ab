/** The change log folded anew, patch by patch: what a policy was and will be, as far as is known. */
import type { Change, Facts, State } from "./Facts.ts"

/** From this instant on until the next one. */
export interface CoverInterval {
  readonly from: string
  readonly state: State
}

export const millis = (instant: string): number => Date.parse(instant)

/**
 * What is known after the changes up to a number: reverted ones count as never made, and so do those after a
 * stop for as long as that is in force.
 */
export const known = ({ changes }: Facts, upTo: number): ReadonlyArray<Change> => {
  const recorded = changes.filter(({ seq }) => seq <= upTo)
  const isReverted = (id: string): boolean =>
    recorded.some((change) => change.reverts === id && !isReverted(change.id))
  let standing: ReadonlyArray<Change> = recorded.filter(({ id }) => !isReverted(id))
  const last = (before: number) =>
    standing.findLast(({ kind, seq }) => kind === "STOP" && seq < before)
  for (let stop = last(Infinity); stop !== undefined; stop = last(stop.seq)) {
    standing = withoutHidden(standing, stop)
  }
  return standing
}

const whateverStops = new Set(["CREATE", "SIGN", "REINSTATE", "REVERT"])
const steps = new Set(["START", "SUSPEND", "REACTIVATE", "ANNOUNCE_STOP", "STOP"])

/** Without what a stop hides: all from it on, or once it was reinstated the contract's steps in the gap. */
const withoutHidden = (all: ReadonlyArray<Change>, stop: Change): ReadonlyArray<Change> => {
  const from = millis(stop.effectiveAt)
  const end = all.find(
    ({ effectiveAt, kind, seq }) =>
      kind === "REINSTATE" && seq > stop.seq && millis(effectiveAt) >= from
  )
  const hasNoGap = end !== undefined && millis(end.effectiveAt) === from
  return all.filter((change) => {
    // What left no gap was never announced either.
    if (hasNoGap && change.kind === "ANNOUNCE_STOP" && change.seq === stop.seq - 1) return false
    const at = millis(change.effectiveAt)
    const isLaterStop = change.kind === "STOP" && change.seq > stop.seq
    if (change === stop || isLaterStop || at < from || whateverStops.has(change.kind)) return true
    if (end === undefined) return false
    return !(steps.has(change.kind) && change.seq < end.seq && at < millis(end.effectiveAt))
  })
}

/** Each stretch in the order of its effect. */
export const coverIntervals = (facts: Facts, upTo: number): ReadonlyArray<CoverInterval> => {
  const changes = known(facts, upTo).toSorted(
    (a, b) => millis(a.effectiveAt) - millis(b.effectiveAt) || a.seq - b.seq
  )
  const result: Array<{ from: string; state: State }> = []
  let state: Record<string, unknown> = {}
  for (const { effectiveAt, patch } of changes) {
    state = structuredClone(state)
    for (const entry of patch) put(state, entry.path.split("/").slice(1), entry)
    // What commands recorded has this shape by construction.
    const folded = state as unknown as State
    if (result.at(-1)?.from === effectiveAt) result[result.length - 1]!.state = folded
    else result.push({ from: effectiveAt, state: folded })
  }
  return result
}

const put = (
  state: Record<string, unknown>,
  [first, ...rest]: ReadonlyArray<string>,
  entry: Change["patch"][number]
): void => {
  const key = first!.replaceAll("~1", "/").replaceAll("~0", "~")
  if (rest.length > 0) {
    state[key] ??= {}
    put(state[key] as Record<string, unknown>, rest, entry)
  } else if ("value" in entry) state[key] = structuredClone(entry.value)
  else delete state[key]
}

/** The state at an instant. */
export const stateOn = (all: ReadonlyArray<CoverInterval>, at: number): State | undefined =>
  all.findLast(({ from }) => millis(from) <= at)?.state
