/**
 * What happens to a signed policy: cover rests and goes on, the policy is stopped and reinstated, and
 * what was recorded is taken back. Pure decisions over the trunk's log.
 */
import { Result } from "effect"
import {
  type Change,
  ChangeHasDependents,
  type ChangeKind,
  ChangeNotRevertible,
  type Foldable,
  type JsonObject,
  type PatchEntry
} from "./Change.ts"
import { type Lineage, openStops, standing, visible } from "./ChangeView.ts"
import type { Instant } from "../values/Instant.ts"
import {
  type Command,
  type InvalidTransition,
  permit,
  type Position,
  refusal
} from "./Lifecycle.ts"
import { addDays } from "../values/LocalDate.ts"
import type { Stop } from "./Policy.ts"
import type { Decision, Draft } from "./PolicyCommands.ts"
import type { ContractState, PolicyState, Suspension } from "./PolicyState.ts"
import type { Product } from "../products/Product.ts"
import { localDate, startOfDay } from "../values/TimeZone.ts"

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
 * A stop as of an instant. One to come is announced at once, so that `stop` and `endedAt` show from now
 * on; the contract ends on its day. A sale is given up at once.
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

/**
 * Cover goes on after a stop: without a gap from the stop itself, else from `effectiveAt`. What the stop
 * has hidden shows again: a stop announced for later, and of the steps dated ahead those that fit a
 * contract that runs; the others are taken back.
 */
export const reinstate = (
  changes: ReadonlyArray<Change>,
  trunk: Lineage,
  state: PolicyState,
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
          branchId: trunk.branchId,
          seq: (changes.at(-1)?.seq ?? 0) + 1,
          recordedAt: effectiveAt
        }
      ]
      const [announced] = openStops(standing(recorded([]), trunk))
      const patch = [
        { path: "/contract", value: "STARTED" },
        ...["/stop", "/endedAt"].map(
          (path): PatchEntry =>
            announced?.patch.find((entry) => entry.path === path) ?? { path, removed: true }
        ),
        { path: "/stoppedAt", removed: true } as const
      ]
      const after = recorded(patch)
      const unfit = new Set(misplacedSteps(after, trunk).flatMap(({ steps }) => steps))
      return [
        { kind: "REINSTATE", effectiveAt, patch },
        ...changes.filter((change) => unfit.has(change)).map(undo)
      ]
    }
  )

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

/** The stop that is announced and has not taken effect, with its announcement. */
export const pendingStop = (
  changes: ReadonlyArray<Change>,
  trunk: Lineage,
  now: Instant
): ReadonlyArray<Change> => {
  const kept = standing(changes, trunk)
  const stop = kept.findLast(({ effectiveAt, kind }) => kind === "STOP" && effectiveAt > now)
  return stop === undefined ? [] : withAnnouncement(kept, stop)
}

/** A stop and its announcement were recorded one after the other, and are taken back together. */
export const withAnnouncement = <C extends Foldable>(kept: ReadonlyArray<C>, stop: C) =>
  kept.filter(
    ({ kind, seq }) => seq === stop.seq || (kind === "ANNOUNCE_STOP" && seq === stop.seq - 1)
  )

const revertible: ReadonlySet<ChangeKind> = new Set<ChangeKind>([
  "UPDATE",
  "SUSPEND",
  "REACTIVATE",
  "STOP",
  "REVERT"
])

/** The changes that take one back: nothing of it shows any more, at any time. */
export const revert = (
  changes: ReadonlyArray<Change>,
  lineage: Lineage,
  change: Change
): Decision<ReadonlyArray<Draft>, ChangeHasDependents | ChangeNotRevertible> => {
  const { id: changeId, kind } = change
  const kept = standing(changes, lineage)
  if (!revertible.has(kind) || isRenewal(change) || !kept.includes(change)) {
    return Result.fail(new ChangeNotRevertible({ changeId, kind }))
  }
  const dependents = kept
    .filter((other) => other !== change && liesIn(other, change))
    .map(({ id }) => id)
  if (dependents.length > 0) return Result.fail(new ChangeHasDependents({ changeId, dependents }))
  return Result.succeed(undoneWith(changes, kept, change).map(undo))
}

/** What is taken back with a change: of a stop, and of what took one back, both halves. */
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

/** The changes that drafts bring back, since they take back what had undone them. */
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
 * a back-dated step, or a revert, must leave sense in those after it.
 */
export const contractFault = (
  changes: ReadonlyArray<Foldable>,
  trunk: Lineage,
  at: Pick<Position, "final"> = {}
): InvalidTransition | undefined => misplacedStep(changes, trunk, at)?.refusal

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
