/** What dunning decides on, taken from a policy's log, its invoices, notices and holds. */
import type { DunningFacts } from "./DunningTimeline.ts"
import type { ManualSteps, CoverStep, CoverInterval, TakenStep } from "./DunningChanges.ts"
import { agreementOf, termsOf } from "../billing/DueSteps.ts"
import type { Term } from "../periods/Term.ts"
import { permitTermination } from "./Termination.ts"
import type { Change } from "@quittance/domain/policies/Change"
import { segments, unreverted } from "@quittance/domain/policies/ChangeView"
import type { TerminationNotPossible } from "@quittance/domain/dunning/Dunning"
import { type Instant, max } from "@quittance/domain/values/Instant"
import type { Frequency, InvoicingConfig } from "@quittance/domain/products/InvoicingConfig"
import type { Stop } from "@quittance/domain/policies/Policy"
import type { PolicyState } from "@quittance/domain/policies/PolicyState"
import type { Product } from "@quittance/domain/products/Product"
import { localDate, startOfDay } from "@quittance/domain/values/TimeZone"
import type { Result } from "effect"
import { debtsOf } from "./Debts.ts"
import type { DunningAccount } from "./DunningAccount.ts"
import { billingView, waitingSince } from "../billing/account/PolicyAccount.ts"
import {
  type BaseTimeline,
  baseTimelineOf,
  baseState
} from "@quittance/domain/policies/aggregate/BaseTimeline"
import { jobName } from "@quittance/domain/requests/Actor"

const kinds = {
  SUSPEND: "SUSPEND",
  REACTIVATE: "REACTIVATE",
  STOP: "TERMINATE"
} as const satisfies Partial<Record<Change["kind"], CoverStep["kind"]>>

const stepOf = ({ author, effectiveAt, kind }: Change): CoverStep | undefined =>
  author === jobName && kind in kinds
    ? // Its keys were looked up.
      { kind: kinds[kind as keyof typeof kinds], at: effectiveAt }
    : undefined

/** What dunning and people have done to a contract, each of the base branch's changes once. */
export interface CoverHistory extends ManualSteps {
  readonly taken: ReadonlyArray<TakenStep<Change["id"]>>
  /** The last reinstatement: what was before it is settled, and dunning begins again. */
  readonly reinstated?: Change | undefined
  /** The stops by hand for unpaid premiums. */
  readonly endedByHand: ReadonlyArray<Change>
}

/** @param undone changes that count no more, since they are about to be reverted */
export const coverHistory = (
  { policy }: DunningAccount,
  undone: ReadonlyArray<Change> = []
): CoverHistory => {
  const { changes, head } = policy
  const base = { branchId: head.defaultBranchId }
  const kept = unreverted(changes, base)
  const reinstated = kept.findLast(({ kind }) => kind === "REINSTATE")
  const isPast = ({ seq }: Change) => reinstated !== undefined && seq < reinstated.seq
  const own = kept.flatMap((change) => {
    const step = stepOf(change)
    return step === undefined || isPast(change) ? [] : [{ change, step }]
  })
  const beside = new Set([...own.map(({ change }) => change), ...undone])
  // Most policies have had no step, and their base branch is folded already.
  const stretches = stretchesOf(
    beside.size === 0
      ? baseTimelineOf(policy)
      : segments(
          changes.filter((change) => !beside.has(change)),
          base
        )
  )
  const contractBefore = (at: Instant) => stretches.findLast(({ from }) => from < at)?.contract
  const byId = new Map(changes.map((change) => [change.id, change]))
  return {
    taken: own.map(({ change, step }) => ({ ...step, id: change.id })),
    stretches,
    waivers: kept.flatMap((change) =>
      change.kind === "REACTIVATE" &&
      change.author !== jobName &&
      !isPast(change) &&
      contractBefore(change.effectiveAt) === "STARTED"
        ? [change.effectiveAt]
        : []
    ),
    withdrawn: kept.flatMap(({ author, reverts }) => {
      const undone = reverts === undefined ? undefined : byId.get(reverts)
      const step = undone === undefined || author === jobName ? undefined : stepOf(undone)
      return step === undefined ? [] : [step]
    }),
    reinstated,
    endedByHand: kept.filter(
      (change) => isEndedByHand(policy.productOf(baseState(policy)), change) && !isPast(change)
    )
  }
}

const isEndedByHand = ({ dunning }: Product, { author, kind, patch }: Change): boolean =>
  kind === "STOP" &&
  author !== jobName &&
  patch.some(
    (entry) =>
      entry.path === "/stop" &&
      "value" in entry &&
      // Stops are recorded with their reason.
      (entry.value as unknown as Stop).reason === dunning.stopReason
  )

/** What the contract did but for some changes; neighbours that are alike are one. */
const stretchesOf = (
  found: BaseTimeline | ReturnType<typeof segments>
): ReadonlyArray<CoverInterval> => {
  const stretches: Array<CoverInterval> = []
  for (const { from, state, to } of found) {
    // What commands recorded has this shape by construction.
    const { contract } = state as unknown as PolicyState
    const last = stretches.at(-1)
    if (last !== undefined && last.contract === contract) {
      stretches[stretches.length - 1] = { from: last.from, to, contract }
    } else stretches.push({ from, to, contract })
  }
  return stretches
}

/** The facts from which the steps of dunning follow. */
export const dunningFacts = (
  account: DunningAccount,
  { reinstated }: Pick<CoverHistory, "reinstated">
): DunningFacts => {
  const { invoices, dunning, policy } = account
  const state = baseState(policy)
  const product = policy.productOf(state)
  const { dunning: rule, timeZone } = product
  const since = reinstated?.recordedAt
  const debts = invoices.flatMap((invoice) => debtsOf(account, product, invoice))
  return {
    rule,
    timeZone,
    startedAt: max(state.startedAt, waitingSince(baseTimelineOf(policy)) ?? state.startedAt),
    yearEnds: yearEndsOf(account),
    // Where no notice is needed nothing tells an old debt from a new one but its day.
    debts:
      since === undefined || rule.suspend.from === "NOTICE"
        ? debts
        : debts.filter(({ dueOn }) => dueOn >= localDate(since, timeZone)),
    notices: dunning.notices.flatMap(({ announcesTermination, id, invoiceIds, sentAt }) =>
      sentAt === null || (since !== undefined && sentAt < since)
        ? []
        : [{ id, invoiceIds, sentAt, announcesTermination }]
    ),
    holds: dunning.holds.map(({ from, to }) => ({ from, to: to ?? undefined }))
  }
}

/** Whether the contract may be ended for unpaid premiums at an instant. */
export const mayTerminate = (
  account: DunningAccount,
  effectiveAt: Instant
): Result.Result<void, TerminationNotPossible> => {
  const history = coverHistory(account)
  const facts = dunningFacts(account, history)
  return permitTermination(facts, history.waivers, { effectiveAt, now: account.policy.now })
}

/** The ends of terms whose premium is paid in parts, where a suspension for one ends with its year. */
const yearEndsOf = (account: DunningAccount): ReadonlyArray<Instant> => {
  const state = baseState(account.policy)
  const { suspend } = account.policy.productOf(state).dunning
  if (state.signedAt === undefined || suspend.untilYearEnd !== true) return []
  const view = billingView(account)
  return termsOf(view)
    .filter((term) => isPaidInParts(agreementOf(view, term).invoicing, term))
    .map(({ end }) => startOfDay(end, view.timeZone))
}

const wholeTerms: ReadonlySet<Frequency> = new Set<Frequency>(["YEARLY", "BIENNIAL"])

const isPaidInParts = (
  { firstPayment, frequency }: InvoicingConfig,
  { number }: Pick<Term, "number">
): boolean => !wholeTerms.has(frequency) && !(number === 1 && firstPayment.startsWith("FULL_"))

/** Whether nothing of the book's policy can be a matter of dunning: most policies, on most days. */
export const isInOrder = ({ invoices, dunning, policy, settled }: DunningAccount): boolean => {
  const { dunning: rule } = policy.productOf(baseState(policy))
  return (
    dunning.notices.length === 0 &&
    settled.allocations.length === 0 &&
    invoices.every(
      ({ dueOn, isFirst, paidAt, type }) =>
        type !== "INVOICE" ||
        (paidAt !== null &&
          paidAt.slice(0, 10) < dueOn &&
          !(isFirst && rule.firstPremium === "NO_COVER"))
    ) &&
    !policy.changes.some((change) => stepOf(change) !== undefined)
  )
}
