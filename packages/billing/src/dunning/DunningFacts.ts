/** What dunning decides on, taken from a policy's log, its invoices, notices and holds. */
import type { InvoiceSummary } from "@quittance/domain/billing/StoredInvoice"
import type { Debt, DunningFacts } from "./DunningTimeline.ts"
import type { ManualSteps, CoverStep, CoverInterval, TakenStep } from "./DunningChanges.ts"
import { agreementOf, termsOf } from "../billing/DueSteps.ts"
import { owedTimes } from "./DebtPeriods.ts"
import type { Term } from "../periods/Term.ts"
import { permitTermination } from "./Termination.ts"
import type { Change } from "@quittance/domain/policies/Change"
import { segments, unreverted } from "@quittance/domain/policies/ChangeView"
import { isCharge, noticeCharged } from "@quittance/domain/billing/InvoiceLine"
import type { TerminationNotPossible } from "@quittance/domain/dunning/Dunning"
import { type Instant, max } from "@quittance/domain/values/Instant"
import { unpaidStatuses } from "@quittance/domain/billing/Invoice"
import type { Frequency, InvoicingConfig } from "@quittance/domain/products/InvoicingConfig"
import type { Stop } from "@quittance/domain/policies/Policy"
import type { PolicyState } from "@quittance/domain/policies/PolicyState"
import type { Product } from "@quittance/domain/products/Product"
import { localDate, startOfDay } from "@quittance/domain/values/TimeZone"
import { type Result, Schema } from "effect"
import type { DunningAccount } from "./DunningAccount.ts"
import { billingView, waitingSince } from "../billing/account/PolicyAccount.ts"
import {
  type BaseTimeline,
  baseTimelineOf,
  baseState
} from "@quittance/domain/policies/aggregate/BaseTimeline"
import { InvoiceId } from "@quittance/domain/values/Ids"
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
  /** The last reinstatement: what was before it is settled, and dunning begins anew. */
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

const isInvoiceId = Schema.is(InvoiceId)
const unpaid: ReadonlySet<string> = new Set(unpaidStatuses)

/** An invoice of premium as a debt, or of what a notice cost, once more for each return that opened it again. */
const debtsOf = (
  { invoices, policy, settled }: DunningAccount,
  { activation }: Product,
  {
    cause,
    customerId,
    dueOn,
    id,
    isFirst,
    issuedAt,
    paid,
    paidAt,
    status,
    total,
    type
  }: InvoiceSummary
): ReadonlyArray<Debt> => {
  if (type !== "INVOICE" || !isInvoiceId(id) || status === "DRAFTED" || status === "CANCELLED") {
    return []
  }
  const costOf = noticeCharged(cause)
  // A charge by hand, or the fee of a return, is no premium.
  if (isCharge(cause) && costOf === undefined) return []
  const credits = invoices.filter((other) => other.type === "CREDIT_NOTE")
  // A credit settles the invoice that it corrects first: one that left some of that unpaid has settled
  // nothing else.
  const isUsedUp = ({ creditedInvoiceId }: InvoiceSummary, by: InvoiceSummary["id"]) =>
    creditedInvoiceId !== by &&
    invoices.some((other) => other.id === creditedInvoiceId && unpaid.has(other.status))
  const writeOff = settled.writeOffs.findLast(({ invoiceId }) => invoiceId === id)
  const isUnpaid = unpaid.has(status)
  const own = settled.allocations.filter(({ invoiceId }) => invoiceId === id)
  const isSettledFor = (at: Instant) =>
    own.every(({ returnedAt }) => returnedAt === null || returnedAt <= at)
  // What was credited of it later was no longer owed.
  const settledAt =
    writeOff !== undefined && isSettledFor(writeOff.at) ? writeOff.at : (paidAt ?? issuedAt)
  const times = owedTimes(
    {
      total,
      amountPaid: paid,
      settledAt: isUnpaid ? undefined : settledAt,
      notes: credits
        .filter(({ creditedInvoiceId }) => creditedInvoiceId === id)
        .map((note) => ({ amount: -note.total, issuedAt: note.issuedAt }))
    },
    own.map(({ amount, paidAt, returnedAt }) => ({
      amount,
      paidAt,
      returnedAt: returnedAt ?? undefined
    }))
  )
  return times.map((time, index) => ({
    ...time,
    invoiceId: id,
    payerCustomerId: customerId,
    dueOn,
    askedAt: issuedAt,
    followsPayment: isOfUndoneEnd(policy, cause),
    costOf,
    // Where a product waits for the first payment, cover has not begun that could rest.
    isFirst: isFirst && activation.firstPayment !== "GATE",
    isWrittenOff: index === times.length - 1 && status === "WRITTEN_OFF",
    waived:
      index === times.length - 1 &&
      !isUnpaid &&
      (status !== "PAID" ||
        credits.some(
          (note) =>
            note.customerId === customerId && note.issuedAt === paidAt && !isUsedUp(note, id)
        ))
  }))
}

/** Whether an invoice charges the days after an end that dunning reverted, which only a payment causes. */
const isOfUndoneEnd = (
  { changes }: DunningAccount["policy"],
  cause: InvoiceSummary["cause"]
): boolean =>
  changes.some(({ author, id, kind }) => id === cause && kind === "REVERT" && author === jobName)

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
