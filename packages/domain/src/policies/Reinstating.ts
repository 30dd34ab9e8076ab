/** A stopped policy that is taken up again: pure decisions over the base branch's log. */
import { Result } from "effect"
import type { Change, Foldable, PatchEntry } from "./Change.ts"
import { type Lineage, openStops, standing, visible } from "./ChangeView.ts"
import type { Instant } from "../values/Instant.ts"
import { hasBegun, permit, type Position, refusal } from "./Lifecycle.ts"
import { misplacedSteps, undo } from "./LifecycleCommands.ts"
import { addDays } from "../values/LocalDate.ts"
import type { Decision, Draft } from "./PolicyCommands.ts"
import type { ContractState, PolicyState } from "./PolicyState.ts"
import type { Product } from "../products/Product.ts"
import { localDate, startOfDay } from "../values/TimeZone.ts"
import type { InvalidTransition } from "../requests/RequestErrors.ts"

/**
 * Reinstates a stopped policy: without a gap from the stop itself, else from `effectiveAt`. A contract that
 * had not begun waits again: for its start where that is in the future, and for the first payment where its
 * product requires one. What the stop has hidden takes effect again: a stop announced for later, and the
 * future steps that still fit. The others are reverted.
 */
export const reinstate = (
  changes: ReadonlyArray<Change>,
  base: Lineage,
  state: PolicyState & Pick<Position, "gated">,
  effectiveAt: Instant
): Decision<ReadonlyArray<Draft>, InvalidTransition> =>
  Result.map(
    state.signedAt === undefined
      ? Result.fail(refusal(state, "reinstate"))
      : permit(state, "reinstate"),
    () => {
      const recorded = (patch: Draft["patch"]): ReadonlyArray<Foldable> => [
        ...changes,
        {
          kind: "REINSTATE",
          effectiveAt,
          patch,
          branchId: base.branchId,
          seq: (changes.at(-1)?.seq ?? 0) + 1,
          recordedAt: effectiveAt
        }
      ]
      const [announced] = openStops(standing(recorded([]), base))
      const isToBegin = state.startedAt > effectiveAt || state.gated === true
      const waits = isToBegin && !hasBegun({ contract: beforeStop(changes, base, effectiveAt) })
      const patch = [
        { path: "/contract", value: waits ? "NOT_STARTED" : "STARTED" },
        ...["/stop", "/endedAt"].map(
          (path): PatchEntry =>
            announced?.patch.find((entry) => entry.path === path) ?? { path, removed: true }
        ),
        { path: "/stoppedAt", removed: true } as const
      ]
      const after = recorded(patch)
      const unfit = new Set(misplacedSteps(after, base).flatMap(({ steps }) => steps))
      return [
        { kind: "REINSTATE", effectiveAt, patch },
        ...changes.filter((change) => unfit.has(change)).map(undo)
      ]
    }
  )

/** What a contract was when the stop came that is in effect at an instant. */
const beforeStop = (
  changes: ReadonlyArray<Change>,
  base: Lineage,
  whenAt: Instant
): ContractState | undefined => {
  let contract: ContractState | undefined
  let before: ContractState | undefined
  for (const { kind, patch } of visible(changes, { ...base, whenAt })) {
    const entry = patch.find(({ path }) => path === "/contract")
    if (kind === "STOP") before = contract
    // Commands record a contract's states there.
    if (entry !== undefined && "value" in entry) contract = entry.value as ContractState
  }
  return before
}

/**
 * The instant from which a stopped policy can't be taken up again, so many days after its stop as the
 * product says; `undefined` where it never can.
 */
export const reinstatableUntil = (
  { reinstatement, timeZone }: Product,
  { stoppedAt }: PolicyState
): Instant | undefined =>
  reinstatement === undefined || stoppedAt === undefined
    ? undefined
    : startOfDay(addDays(localDate(stoppedAt, timeZone), reinstatement.withinDays + 1), timeZone)
