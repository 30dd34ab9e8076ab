/**
 * All dunning steps of a policy in one list. When each of them is due is the rule of `DunningTimeline.ts`.
 * The list is derived from the facts alone: it changes when they change, and no step is skipped.
 */
import { type Instant, max as later } from "@quittance/domain/values/Instant"
import { startOfDay } from "@quittance/domain/values/TimeZone"
import {
  type DunningTimeline,
  dunningTimelinesOf,
  type DunningFacts,
  noticeableFrom,
  outsideHolds
} from "./DunningTimeline.ts"
import type { InvoiceId } from "@quittance/domain/values/Ids"

export interface DunningStep {
  readonly kind: "NOTICE" | "SUSPEND" | "REACTIVATE" | "TERMINATE"
  readonly dueAt: Instant
  readonly invoiceIds: ReadonlyArray<InvoiceId>
}

/**
 * Every step, past and future, by its instant. The list also has steps after a termination, because a user
 * may revert the termination.
 *
 * @param waivers the instants at which a user reactivated suspended cover: the earlier debt no longer
 *   suspends it
 */
export const dunningSteps = (
  facts: DunningFacts,
  waivers: ReadonlyArray<Instant> = []
): ReadonlyArray<DunningStep> => {
  const timelines = dunningTimelinesOf(facts).map((timeline) => waived(timeline, waivers))
  const terminations = timelines.flatMap(({ endsByItself, invoiceIds, terminableAt }) =>
    endsByItself && terminableAt !== undefined
      ? [{ kind: "TERMINATE", dueAt: terminableAt, invoiceIds } as const]
      : []
  )
  return [...noticeSteps(facts), ...coverSteps(timelines), ...terminations].sort((a, b) =>
    a.dueAt === b.dueAt ? 0 : a.dueAt < b.dueAt ? -1 : 1
  )
}

const waived = (timeline: DunningTimeline, waivers: ReadonlyArray<Instant>): DunningTimeline => {
  const { endsByItself, reactivatedAt, suspendedAt: from, terminableAt } = timeline
  const waiver = waivers.find(
    (at) => from !== undefined && from <= at && (reactivatedAt === undefined || at < reactivatedAt)
  )
  if (waiver === undefined) return timeline
  return {
    ...timeline,
    reactivatedAt: waiver,
    endsByItself: endsByItself && terminableAt !== undefined && terminableAt < waiver
  }
}

/** Steps up to the end of the contract, where they have one. */
export const untilEnd = <Step extends Pick<DunningStep, "kind">>(
  steps: ReadonlyArray<Step>
): ReadonlyArray<Step> => {
  const end = steps.findIndex(({ kind }) => kind === "TERMINATE")
  return end < 0 ? steps : steps.slice(0, end + 1)
}

/** A notice for each payer and day, over what may be noticed then and has not been. */
const noticeSteps = ({
  debts,
  holds,
  notices,
  rule,
  timeZone
}: DunningFacts): ReadonlyArray<DunningStep> => {
  if (rule.notice === undefined) return []
  const steps = new Map<
    string,
    { readonly dueAt: Instant; readonly invoiceIds: Array<InvoiceId> }
  >()
  for (const debt of debts) {
    const { awaitedUntil, costOf, dueOn, invoiceId, payerCustomerId, reopenedAt, settledAt } = debt
    if (costOf !== undefined) continue
    const isNoticed = notices.some(
      ({ invoiceIds, sentAt }) =>
        invoiceIds.includes(invoiceId) && (reopenedAt === undefined || reopenedAt <= sentAt)
    )
    const possible = startOfDay(noticeableFrom(rule, dueOn), timeZone)
    const owedFrom = later(possible, reopenedAt ?? possible)
    const waits = settledAt === undefined && awaitedUntil !== undefined
    const dueAt = outsideHolds(waits ? later(owedFrom, awaitedUntil) : owedFrom, holds)
    if (isNoticed || dueAt === undefined || (settledAt !== undefined && settledAt < dueAt)) continue
    const key = `${payerCustomerId} ${dueAt}`
    const known = steps.get(key)
    if (known === undefined) steps.set(key, { dueAt, invoiceIds: [invoiceId] })
    else known.invoiceIds.push(invoiceId)
  }
  return [...steps.values()].map((step) => ({ kind: "NOTICE", ...step }))
}

/**
 * A notice is sent when the worker processes it, even if that is later than its due date. A notice that is
 * already due waits until a present hold ends.
 */
export const outsideHoldsNow = (
  steps: ReadonlyArray<DunningStep>,
  { holds }: Pick<DunningFacts, "holds">,
  now: Instant
): ReadonlyArray<DunningStep> => {
  const possible = outsideHolds(now, holds)
  if (possible === now) return steps
  return steps.flatMap((step) => {
    if (step.dueAt > now) return [step]
    return possible === undefined ? [] : [{ ...step, dueAt: possible }]
  })
}

/** When cover is suspended and reactivated: it is suspended while at least one timeline suspends it. */
const coverSteps = (timelines: ReadonlyArray<DunningTimeline>): ReadonlyArray<DunningStep> => {
  const away = timelines
    .flatMap(({ invoiceIds, reactivatedAt, suspendedAt }) =>
      suspendedAt === undefined ? [] : [{ from: suspendedAt, to: reactivatedAt, invoiceIds }]
    )
    .sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0))
  const steps: Array<DunningStep> = []
  let end: Instant | undefined
  let open = false
  for (const { from, invoiceIds, to } of away) {
    if (open && (end === undefined || from <= end)) {
      end = end === undefined || to === undefined ? undefined : later(end, to)
      continue
    }
    if (open && end !== undefined) steps.push({ kind: "REACTIVATE", dueAt: end, invoiceIds: [] })
    steps.push({ kind: "SUSPEND", dueAt: from, invoiceIds })
    open = true
    end = to
  }
  return open && end !== undefined
    ? [...steps, { kind: "REACTIVATE", dueAt: end, invoiceIds: [] }]
    : steps
}
