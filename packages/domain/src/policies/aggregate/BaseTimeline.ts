/** What is in force of a policy over time: its base branch, or before the signature the sale that it is. */
import { segments } from "../ChangeView.ts"
import type { Instant } from "../../values/Instant.ts"
import type { PolicyState } from "../PolicyState.ts"
import type { PolicyAggregate } from "./PolicyAggregate.ts"

/** The states one after the other; the last one without end. */
export type BaseTimeline = ReadonlyArray<{
  readonly from: Instant
  readonly to?: Instant
  readonly state: PolicyState
}>

const trunks = new WeakMap<PolicyAggregate["changes"], Map<string, BaseTimeline>>()

/** Folded once for each log: a decision asks for it again and again. */
export const baseTimelineOf = ({
  changes,
  head
}: Pick<PolicyAggregate, "changes" | "head">): BaseTimeline => {
  const ofLog = trunks.get(changes) ?? new Map<string, BaseTimeline>()
  trunks.set(changes, ofLog)
  const known = ofLog.get(head.defaultBranchId)
  if (known !== undefined) return known
  // What commands recorded has this shape by construction.
  const made = segments(changes, { branchId: head.defaultBranchId }) as unknown as BaseTimeline
  ofLog.set(head.defaultBranchId, made)
  return made
}

/** The state with all that is recorded in effect, also what is still to come. */
export const baseState = (policy: Pick<PolicyAggregate, "changes" | "head">): PolicyState =>
  baseTimelineOf(policy).at(-1)!.state

/** What was in force at an instant; `undefined` before the first. */
export const stateIn = (base: BaseTimeline, instant: Instant): PolicyState | undefined =>
  base.findLast(({ from }) => from <= instant)?.state
