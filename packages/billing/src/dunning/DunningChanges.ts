/**
 * What dunning has to do now: the steps that the facts require, compared with those that were taken. A step
 * that was taken and is no longer required, because of a payment, is reverted.
 */
import {
  earliest,
  type Instant,
  max as later,
  min as earlier
} from "@quittance/domain/values/Instant"
import type { ContractState } from "@quittance/domain/policies/PolicyState"
import { type DunningStep, untilEnd } from "./Dunning.ts"

/** The contract's state during an interval, ignoring dunning steps. The last interval has no end. */
export interface CoverInterval {
  readonly from: Instant
  readonly to?: Instant | undefined
  readonly contract: ContractState | undefined
}

/** A step that changes the contract. */
export interface CoverStep {
  readonly kind: Exclude<DunningStep["kind"], "NOTICE">
  readonly at: Instant
}

/** What people decided beside dunning; it is not overruled. */
export interface ManualSteps {
  readonly stretches: ReadonlyArray<CoverInterval>
  /** When cover that rested for unpaid premiums was resumed by hand. */
  readonly waivers: ReadonlyArray<Instant>
  /** Steps of dunning that a user reverted. */
  readonly withdrawn: ReadonlyArray<CoverStep>
}

/** A time without cover as the law has it. */
interface Away {
  readonly from: Instant
  readonly to?: Instant | undefined
  /** Whether cover then resumes by itself; a waiver is on record already. */
  readonly resumes: boolean
}

/**
 * The steps of cover that take effect, past and to come, in order. Cover that has not begun, or that is
 * suspended for another reason, is suspended when it next begins; a contract that ended has no steps.
 */
export const coverSteps = (
  steps: ReadonlyArray<DunningStep>,
  { stretches, waivers, withdrawn }: ManualSteps
): ReadonlyArray<CoverStep> => {
  const isWithdrawn = (step: CoverStep) => includes(withdrawn, step)
  const away = awayOf(steps, { waivers, withdrawn })
  const taken = away.flatMap((time) =>
    stretches.flatMap((stretch, index): ReadonlyArray<CoverStep> => {
      if (stretch.contract !== "STARTED") return []
      const from = later(stretch.from, time.from)
      const suspended = { kind: "SUSPEND", at: from } as const
      const end = first(stretch.to, time.to)
      if ((end !== undefined && end <= from) || isWithdrawn(suspended)) return []
      // Cover that was then put to rest by hand is left to that.
      if (end === stretch.to && stretches[index + 1]?.contract === "SUSPENDED") return []
      const isOver = stretch.to !== undefined && end === stretch.to
      if (end === undefined || isOver || !time.resumes) return [suspended]
      return [suspended, { kind: "REACTIVATE", at: end }]
    })
  )
  const ended = steps.flatMap(({ dueAt: at, kind }): ReadonlyArray<CoverStep> => {
    const step = { kind: "TERMINATE", at } as const
    const isAway = away.some(
      ({ from, resumes, to }) =>
        from <= at && (to === undefined || at < to || (resumes && at === to))
    )
    const stretch = stretches.findLast(({ from }) => from <= at)
    const stands = stretch?.contract !== undefined && stretch.contract !== "STOPPED"
    return kind === "TERMINATE" && isAway && stands && !isWithdrawn(step) ? [step] : []
  })
  // What the end gives back may settle the debt at that very instant: then nothing resumes.
  const resumable = taken.filter(
    ({ at, kind }) => kind !== "REACTIVATE" || ended.every((end) => end.at !== at)
  )
  return untilEnd(
    [...resumable, ...ended].sort((a, b) => (a.at === b.at ? 0 : a.at < b.at ? -1 : 1))
  )
}

/** A step that was taken, by the change that recorded it. */
export interface TakenStep<Id> extends CoverStep {
  readonly id: Id
}

export interface CoverChanges<Id> {
  /** Recorded, and no longer required; the latest first. */
  readonly reverted: ReadonlyArray<Id>
  /** Required by now, and not recorded yet; in order. */
  readonly toTake: ReadonlyArray<CoverStep>
}

/** What makes the recorded steps those that are required by now. Done twice it changes nothing. */
export const coverChanges = <Id>(
  wanted: ReadonlyArray<CoverStep>,
  taken: ReadonlyArray<TakenStep<Id>>,
  now: Instant
): CoverChanges<Id> => {
  const due = wanted.filter(({ at }) => at <= now)
  // Of one instant what was recorded first comes first: what has to follow a step that is new is taken again.
  const toTake = due.filter((step, index) =>
    due.slice(0, index + 1).some(({ at, kind }) => at === step.at && !includes(taken, { at, kind }))
  )
  return {
    reverted: taken
      .filter((step) => !includes(due, step) || includes(toTake, step))
      .map(({ id }) => id)
      .reverse(),
    toTake
  }
}

const includes = (steps: ReadonlyArray<CoverStep>, { at, kind }: CoverStep): boolean =>
  steps.some((step) => step.kind === kind && step.at === at)

/** When cover is suspended; a reactivation that a user reverted does not count. */
const awayOf = (
  steps: ReadonlyArray<DunningStep>,
  { waivers, withdrawn }: Pick<ManualSteps, "waivers" | "withdrawn">
): ReadonlyArray<Away> => {
  const away: Array<Away> = []
  const resumed = steps.flatMap(({ dueAt: at, kind }) =>
    kind === "REACTIVATE" && !includes(withdrawn, { kind, at }) ? [at] : []
  )
  for (const { dueAt: from, kind } of steps) {
    const last = away.at(-1)
    const isAway = last !== undefined && (last.to === undefined || from < last.to)
    if (kind !== "SUSPEND" || isAway) continue
    const to = earliest([...resumed, ...waivers].filter((at) => at >= from))
    away.push({ from, to, resumes: to === undefined || !waivers.includes(to) })
  }
  return away
}

const first = (a: Instant | undefined, b: Instant | undefined): Instant | undefined =>
  a === undefined || b === undefined ? (a ?? b) : earlier(a, b)
