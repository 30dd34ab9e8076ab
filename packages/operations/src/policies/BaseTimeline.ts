/** What is in force of a policy over time: its trunk, or before the signature the sale that it is. */
import { segments } from "@quittance/domain/policies/ChangeView"
import type { Instant } from "@quittance/domain/values/Instant"
import type { PolicyState } from "@quittance/domain/policies/PolicyState"
import type { OpenPolicy } from "./PolicyAggregate.ts"

/** The states one after the other; the last one without end. */
export type Trunk = ReadonlyArray<{
  readonly from: Instant
  readonly to?: Instant
  readonly state: PolicyState
}>

const trunks = new WeakMap<OpenPolicy["changes"], Map<string, Trunk>>()

/** Folded once for each log: a decision asks for it again and again. */
export const trunkOf = ({ changes, head }: Pick<OpenPolicy, "changes" | "head">): Trunk => {
  const ofLog = trunks.get(changes) ?? new Map<string, Trunk>()
  trunks.set(changes, ofLog)
  const known = ofLog.get(head.defaultBranchId)
  if (known !== undefined) return known
  // What commands recorded has this shape by construction.
  const made = segments(changes, { branchId: head.defaultBranchId }) as unknown as Trunk
  ofLog.set(head.defaultBranchId, made)
  return made
}

/** The state with all that is recorded in effect, also what is still to come. */
export const trunkState = (policy: Pick<OpenPolicy, "changes" | "head">): PolicyState =>
  trunkOf(policy).at(-1)!.state

/** What was in force at an instant; `undefined` before the first. */
export const stateIn = (trunk: Trunk, instant: Instant): PolicyState | undefined =>
  trunk.findLast(({ from }) => from <= instant)?.state
