/**
 * What happens next to a signed policy, and when. Steps are derived from the view alone, never from the
 * last run: a worker that comes late finds all it missed, in order, each with its own due instant.
 */
import type { Duration } from "@quittance/domain/Duration"
import { type Instant, max as later } from "@quittance/domain/Instant"
import type { ContractState } from "@quittance/domain/PolicyState"
import { localDate, startOfDay, type TimeZone } from "@quittance/domain/TimeZone"
import { keyText } from "./Documents.ts"
import { type Agreement, type InstalmentKey, type PlannedInstalment, schedule } from "./Schedule.ts"
import { termOf } from "./Term.ts"

/** A signed policy, as far as its next steps depend on it. */
export interface BillingView extends Omit<Agreement, "signedOn"> {
  readonly contract: ContractState
  readonly signedAt: Instant
  /** The planned, later the actual, start. */
  readonly startedAt: Instant
  readonly periodDuration: Duration
  readonly timeZone: TimeZone
  /** How many terms are agreed: 1 until the first renewal. */
  readonly terms: number
  /** Whether the product waits for the first payment before cover starts. */
  readonly gated: boolean
  readonly firstPaidAt?: Instant | undefined
  /** The keys of the documents that stand. */
  readonly issued: ReadonlyArray<InstalmentKey>
}

/** Cover starts, at `effectiveAt` whenever that is found out. */
export interface StartStep {
  readonly kind: "START"
  readonly dueAt: Instant
  readonly effectiveAt: Instant
}

/** An instalment's document is issued. */
export interface IssueStep {
  readonly kind: "ISSUE"
  readonly dueAt: Instant
  readonly instalment: PlannedInstalment
}

export type Step = StartStep | IssueStep

export interface NextSteps {
  /** What is due by now, in the order in which it is done. */
  readonly due: ReadonlyArray<Step>
  /** When the first step after those is due; absent where nothing follows by itself. */
  readonly nextDueAt?: Instant
}

export const nextSteps = (view: BillingView, now: Instant): NextSteps => {
  const steps = openSteps(view)
  const due = steps.filter(({ dueAt }) => dueAt <= now)
  const next = steps[due.length]
  return next === undefined ? { due } : { due, nextDueAt: next.dueAt }
}

/** When the first step that is not yet done is due, also where that is past. */
export const nextDueAt = (view: BillingView): Instant | undefined => openSteps(view)[0]?.dueAt

/** Every step that is not yet done, by due instant. A stopped policy takes none by itself. */
export const openSteps = (view: BillingView): ReadonlyArray<Step> => {
  if (view.contract === "STOPPED") return []
  // Sorting is stable: of one instant, the start comes first, then instalments by their days.
  return [...startStep(view), ...issueSteps(view)].sort((a, b) =>
    a.dueAt === b.dueAt ? 0 : a.dueAt < b.dueAt ? -1 : 1
  )
}

/** Every instalment of the agreed terms, issued or not. */
export const instalmentsOf = (view: BillingView): ReadonlyArray<PlannedInstalment> => {
  const agreement = { ...view, signedOn: localDate(view.signedAt, view.timeZone) }
  return Array.from({ length: view.terms }, (_, index) =>
    schedule(agreement, termOf(view, index + 1))
  ).flat()
}

/** The instalments of the policy's first invoice; with several payers one for each. */
export const firstInstalments = (view: BillingView): ReadonlyArray<PlannedInstalment> =>
  instalmentsOf({ ...view, terms: 1 }).filter(({ isFirst }) => isFirst)

const isAwaitingFirstPayment = ({ firstPaidAt, gated }: BillingView): boolean =>
  gated && firstPaidAt === undefined

/** Cover that was sold for days before its signature starts with the signature. */
const startStep = (view: BillingView): ReadonlyArray<StartStep> => {
  if (view.contract !== "NOT_STARTED" || isAwaitingFirstPayment(view)) return []
  const effectiveAt = later(view.startedAt, view.signedAt)
  const dueAt = view.gated ? later(effectiveAt, view.firstPaidAt ?? effectiveAt) : effectiveAt
  return [{ kind: "START", dueAt, effectiveAt }]
}

/** While the first payment is outstanding only the first invoice is issued: no cover runs yet. */
const issueSteps = (view: BillingView): ReadonlyArray<IssueStep> => {
  const issued = new Set(view.issued.map(keyText))
  const awaiting = isAwaitingFirstPayment(view)
  return instalmentsOf(view)
    .filter(({ isFirst, key }) => !issued.has(keyText(key)) && (isFirst || !awaiting))
    .map((instalment) => ({
      kind: "ISSUE",
      dueAt: later(startOfDay(instalment.issueOn, view.timeZone), view.signedAt),
      instalment
    }))
}
