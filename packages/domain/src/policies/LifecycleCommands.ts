/**
 * Commands on a signed policy: suspend and reactivate, stop and reinstate, revert. Pure decisions over the
 * base branch's log.
 */
import { Result } from "effect"
import {
  type Change,
  ChangeHasDependents,
  type ChangeKind,
  ChangeNotRevertible,
  type Foldable,
  type JsonObject
} from "./Change.ts"
import { announces, type Lineage, standing, visible } from "./ChangeView.ts"
import type { Instant } from "../values/Instant.ts"
import { type Command, permit, type Position } from "./Lifecycle.ts"
import type { Stop } from "./Policy.ts"
import type { Decision, Draft } from "./PolicyCommands.ts"
import type { ContractState, PolicyState, Suspension } from "./PolicyState.ts"
import { InvalidTransition } from "../requests/RequestErrors.ts"

// Schema types of JSON data are JSON; the type system only sees interfaces.
const json = (value: object): JsonObject => value as JsonObject

export const suspend = (
  state: PolicyState,
  effectiveAt: Instant,
  suspension: Suspension
): Decision<Draft, InvalidTransition> =>
  Result.map(permit(state, "suspend"), () => ({
    kind: "SUSPEND",
    effectiveAt,
    patch: [
      { path: "/contract", value: "SUSPENDED" },
      { path: "/suspendedAt", value: effectiveAt },
      { path: "/suspension", value: json(suspension) }
    ]
  }))

export const reactivate = (
  state: PolicyState,
  effectiveAt: Instant
): Decision<Draft, InvalidTransition> =>
  Result.map(permit(state, "reactivate"), () => ({
    kind: "REACTIVATE",
    effectiveAt,
    patch: [
      { path: "/contract", value: "STARTED" },
      { path: "/reactivatedAt", value: effectiveAt },
      { path: "/suspension", removed: true }
    ]
  }))

/**
 * A stop as of an instant. A future stop is announced at once, so that `stop` and `endedAt` show from now on;
 * the contract ends on its day. A sale is withdrawn at once.
 */
export const stop = (
  state: PolicyState,
  {
    effectiveAt,
    now,
    stop
  }: { readonly effectiveAt: Instant; readonly now: Instant; readonly stop: Stop }
): Decision<ReadonlyArray<Draft>, InvalidTransition> =>
  Result.map(permit(state, "stop"), () => {
    const announced = [
      { path: "/stop", value: json(stop) },
      { path: "/endedAt", value: effectiveAt }
    ]
    const ended = [
      { path: "/contract", value: "STOPPED" },
      { path: "/stoppedAt", value: effectiveAt }
    ]
    return [
      ...(effectiveAt > now
        ? [{ kind: "ANNOUNCE_STOP", effectiveAt: now, patch: announced } as const]
        : []),
      { kind: "STOP", effectiveAt, patch: [...announced, ...ended] }
    ]
  })

/** The stop that is announced and has not taken effect, with its announcement. */
export const pendingStop = (
  changes: ReadonlyArray<Change>,
  base: Lineage,
  now: Instant
): ReadonlyArray<Change> => {
  const kept = standing(changes, base)
  const stop = kept.findLast(({ effectiveAt, kind }) => kind === "STOP" && effectiveAt > now)
  return stop === undefined ? [] : withAnnouncement(kept, stop)
}

/** A stop and its announcement were recorded one after the other, and are reverted together. */
export const withAnnouncement = <C extends Foldable>(kept: ReadonlyArray<C>, stop: C) =>
  kept.filter((change) => change.seq === stop.seq || announces(change, stop))

const revertible: ReadonlySet<ChangeKind> = new Set<ChangeKind>([
  "UPDATE",
  "SUSPEND",
  "REACTIVATE",
  "STOP",
  "REVERT"
])

/** The changes that revert one: nothing of it shows any more, at any time. */
export const revert = (
  changes: ReadonlyArray<Change>,
  lineage: Lineage,
  change: Change
): Decision<ReadonlyArray<Draft>, ChangeHasDependents | ChangeNotRevertible> => {
  const { id: changeId, kind } = change
  const kept = standing(changes, lineage)
  // A revert that a fork took over of what lies on the other branch has no effect there.
  const isVoid = change.reverts !== undefined && !isOn(changes, lineage, change.reverts)
  if (!revertible.has(kind) || isRenewal(change) || isVoid || !kept.includes(change)) {
    return Result.fail(new ChangeNotRevertible({ changeId, kind }))
  }
  const dependents = kept
    .filter((other) => other !== change && liesIn(other, change))
    .map(({ id }) => id)
  if (dependents.length > 0) return Result.fail(new ChangeHasDependents({ changeId, dependents }))
  return Result.succeed(undoneWith(changes, kept, change).map(undo))
}

/** Whether a lineage has a change at all, reverted or not. */
const isOn = (
  changes: ReadonlyArray<Change>,
  { base, branchId }: Lineage,
  changeId: Change["id"]
): boolean =>
  changes.some(
    ({ branchId: on, id, seq }) =>
      id === changeId && (on === branchId || (on === base?.branchId && seq <= base.seq))
  )

/** The changes that are reverted with one: of a stop, and of a revert of a stop, both halves. */
const undoneWith = (
  changes: ReadonlyArray<Change>,
  kept: ReadonlyArray<Change>,
  change: Change
): ReadonlyArray<Change> => {
  if (change.kind === "STOP") return withAnnouncement(kept, change)
  const target = changes.find(({ id }) => id === change.reverts)
  const stop =
    target?.kind === "ANNOUNCE_STOP" ? changes.find(({ seq }) => seq === target.seq + 1) : target
  if (stop?.kind !== "STOP") return [change]
  const halves = new Set(withAnnouncement(changes, stop).map(({ id }) => id))
  return kept.filter(({ reverts }) => reverts !== undefined && halves.has(reverts))
}

/** The changes that drafts restore, since they revert the reverts of them. */
export const broughtBack = (
  changes: ReadonlyArray<Change>,
  drafts: ReadonlyArray<Draft>
): ReadonlyArray<Change> => {
  const undoneBy = ({ reverts }: Pick<Draft, "reverts">) => changes.find(({ id }) => id === reverts)
  return drafts.flatMap((draft) => undoneBy(undoneBy(draft) ?? {}) ?? [])
}

/** A renewal that was merged; the term that it brought is ended by a stop. */
const isRenewal = ({ patch }: Change): boolean => patch.some(({ path }) => path === "/terms")

/** What takes one change back, effective where it was. */
export const undo = ({ effectiveAt, id }: Change): Draft => ({
  kind: "REVERT",
  effectiveAt,
  patch: [],
  reverts: id
})

/** Whether a change sets something below what another one put there. */
const liesIn = (other: Foldable, { patch }: Change): boolean =>
  patch.some(
    (entry) => "value" in entry && other.patch.some(({ path }) => path.startsWith(`${entry.path}/`))
  )

const commandOf: Partial<Record<ChangeKind, Command>> = {
  START: "start",
  SUSPEND: "suspend",
  REACTIVATE: "reactivate",
  STOP: "stop",
  RENEW: "renew",
  REINSTATE: "reinstate"
}

/** Whether a change of a kind is a step of the contract, which its table has to allow. */
export const isContractStep = (kind: ChangeKind): boolean => commandOf[kind] !== undefined

/**
 * The first step of a contract that its own table does not allow where it stands in the order of effect:
 * a back-dated step, or a revert, must leave sense in those after it. What is told is when it takes effect.
 */
export const contractFault = (
  changes: ReadonlyArray<Foldable>,
  base: Lineage,
  at: Pick<Position, "final"> = {}
): InvalidTransition | undefined => {
  const misplaced = misplacedStep(changes, base, at)
  if (misplaced === undefined) return undefined
  const { allowed, command, status } = misplaced.refusal
  const { effectiveAt } = misplaced.step
  return new InvalidTransition({ allowed, command, status, effectiveAt })
}

/** A step of a contract that its table does not allow where it stands. */
export interface MisplacedStep<C> {
  /** The step, and of a stop its announcement with it. */
  readonly steps: ReadonlyArray<C>
  readonly step: C
  /** Where the contract is when the step comes. */
  readonly contract: ContractState
  readonly refusal: InvalidTransition
}

/** The steps without which a lineage is such as the contract's table allows, one after the other. */
export const misplacedSteps = <C extends Foldable>(
  changes: ReadonlyArray<C>,
  lineage: Lineage
): ReadonlyArray<MisplacedStep<C>> => {
  const first = misplacedStep(changes, lineage)
  if (first === undefined) return []
  const rest = changes.filter((change) => !first.steps.includes(change))
  return [first, ...misplacedSteps(rest, lineage)]
}

const misplacedStep = <C extends Foldable>(
  changes: ReadonlyArray<C>,
  lineage: Lineage,
  { final }: Pick<Position, "final"> = {}
): MisplacedStep<C> | undefined => {
  let contract: ContractState | undefined
  for (const step of visible(changes, lineage)) {
    const command = commandOf[step.kind]
    const position: Position = { stage: "SIGNED", contract, final }
    if (command !== undefined && contract !== undefined) {
      const permitted = permit(position, command)
      if (Result.isFailure(permitted)) {
        const steps =
          step.kind === "STOP" ? withAnnouncement(standing(changes, lineage), step) : [step]
        return { step, steps, contract, refusal: permitted.failure }
      }
    }
    const entry = step.patch.find(({ path }) => path === "/contract")
    // Commands record a contract's states there.
    if (entry !== undefined && "value" in entry) contract = entry.value as ContractState
  }
  return undefined
}
