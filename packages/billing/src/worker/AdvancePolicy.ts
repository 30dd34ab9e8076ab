/**
 * What is due for one policy, decided in memory: the worker, a command and the test clock all come
 * here, and nothing is written before everything is decided.
 */
import { settlementsOf } from "../billing/account/Settlements.ts"
import type { InvoiceSummary } from "@quittance/domain/billing/StoredInvoice"
import type { NoticeChanges, StoredNotice } from "@quittance/domain/dunning/DunningRecords"
import { dueMinusInvoiced } from "../billing/DueMinusInvoiced.ts"
import { dueSteps, nextDueAt, startStep, type Step } from "../billing/DueSteps.ts"
import { earliest, type Instant } from "@quittance/domain/values/Instant"
import { localDate } from "@quittance/domain/values/TimeZone"
import * as Contract from "@quittance/domain/policies/LifecycleCommands"
import { start } from "@quittance/domain/policies/PolicyCommands"
import { Result } from "effect"
import { billingView, issuedOf } from "../billing/account/PolicyAccount.ts"
import { chargeNotices } from "../dunning/NoticeCharges.ts"
import type { DunningAccount } from "../dunning/DunningAccount.ts"
import { triggeringChange, mayNeedCorrection } from "../billing/account/CorrectionTrigger.ts"
import { dunningMovesBills, followDunning, nextDunningAt } from "../dunning/DunningSteps.ts"
import { isOfFirstPremium, recordFirstPayment } from "../billing/account/FirstPayment.ts"
import type { MakeId } from "@quittance/domain/values/PrefixedId"
import { issue, type LinesOfInvoices } from "../billing/account/InvoiceIssuing.ts"
import type { DueStepsResult } from "./DueStepsResult.ts"
import { recordSystemChange } from "../billing/account/SystemChange.ts"
import { baseState } from "@quittance/domain/policies/aggregate/BaseTimeline"

/** Far more than any policy can owe at once; beyond it a rule is wrong, and the policy is parked. */
const mostRounds = 10

/** The invoices whose lines `advance` compares: all of a policy whose base branch has moved or will, else none. */
export const invoicesInTheWay = (account: DunningAccount): ReadonlyArray<InvoiceSummary["id"]> =>
  mayNeedCorrection(account) || dunningMovesBills(account) || isNotTakenUp(account)
    ? account.invoices.map(({ id }) => id)
    : []

/** Whether the policy ends now because its first payment never came, which gives everything back. */
const isNotTakenUp = (account: DunningAccount): boolean => {
  // Asked of every policy of a batch: few products wait for a payment, and few policies for theirs.
  const state = baseState(account.policy)
  const { notTakenUpAfterDays } = account.policy.productOf(state).activation
  if (notTakenUpAfterDays === undefined || state.contract !== "NOT_STARTED") return false
  return dueSteps(billingView(account), account.policy.now).some(
    ({ kind }) => kind === "NOT_TAKEN_UP"
  )
}

/**
 * Corrects what was invoiced and is no longer right, then runs what is due by the policy's now, step by
 * step, until nothing is.
 *
 * @param lines those of `invoicesInTheWay`
 */
export const advance = (
  account: DunningAccount,
  lines: LinesOfInvoices,
  makeId: MakeId
): DueStepsResult => {
  let result: DueStepsResult = {
    account,
    lines,
    issued: [],
    entries: [],
    ran: [],
    settlements: [],
    notices: { put: [], removed: [] },
    nextDueAt: undefined
  }
  for (let round = 0; round < mostRounds; round++) {
    const corrected = startCover(checkFirstPayment(correct(result, makeId), makeId), makeId)
    const dunned = followDunning(corrected.account, makeId)
    result = chargeNotices(
      { ...corrected, account: dunned.account, ran: [...corrected.ran, ...dunned.ran] },
      sentBetween(corrected.account, dunned.account),
      makeId
    )
    // What ends the contract comes before what would be invoiced after its end.
    if (dunned.account !== corrected.account) continue
    const view = billingView(result.account)
    const due = dueSteps(view, account.policy.now)
    if (due.length === 0) {
      return {
        ...result,
        settlements: settlementsOf(account, result.account),
        notices: noticeChanges(account, result.account),
        nextDueAt: earliest([nextDueAt(view, account.policy.now), dunned.nextDueAt])
      }
    }
    for (const step of due) result = takeStep(result, step, makeId)
  }
  throw new Error("Steps stay due however often they are taken.")
}

/** Due minus invoiced, for what has been invoiced: at once, with the change that made it wrong as cause. */
const correct = (result: DueStepsResult, makeId: MakeId): DueStepsResult => {
  if (!mayNeedCorrection(result.account)) return result
  const { policy } = result.account
  const issued = issuedOf(result.account, result.lines)
  const view = billingView(result.account)
  const today = localDate(policy.now, view.timeZone)
  return dueMinusInvoiced(view, issued).corrections.reduce(
    (sofar, { payerCustomerId, period, term, ...correction }) =>
      issue(
        sofar,
        {
          ...correction,
          key: {
            term,
            payerCustomerId,
            periodStart: period.start,
            cause: triggeringChange(policy)
          },
          period,
          issueOn: today,
          dueOn: today,
          isFirst: isOfFirstPremium(result.account)
        },
        makeId
      ),
    result
  )
}

/** What was issued may have settled the first invoice; what a stop gives back lets no cover begin. */
const checkFirstPayment = (result: DueStepsResult, makeId: MakeId): DueStepsResult =>
  baseState(result.account.policy).contract === "STOPPED"
    ? result
    : { ...result, account: recordFirstPayment(result.account, makeId) }

/** Cover that begins no later than what unpaid premiums lead to begins before that is followed. */
const startCover = (result: DueStepsResult, makeId: MakeId): DueStepsResult => {
  const dunningAt = nextDunningAt(result.account)
  if (dunningAt === undefined) return result
  const { now } = result.account.policy
  const [start] = startStep(billingView(result.account))
  return start !== undefined && start.dueAt <= now && start.effectiveAt <= dunningAt
    ? takeStep(result, start, makeId)
    : result
}

const takeStep = (result: DueStepsResult, step: Step, makeId: MakeId): DueStepsResult => {
  if (step.kind === "ISSUE") {
    return issue(result, step.instalment, makeId)
  }
  if (step.kind === "NOT_TAKEN_UP") return drop(result, step.dueAt, makeId)
  const { now, productOf } = result.account.policy
  const state = baseState(result.account.policy)
  // What is still to come, such as a stop, shows in the state already.
  const waiting = { ...state, contract: "NOT_STARTED" } as const
  const draft = start(productOf(state), waiting, { now, contractFrom: step.effectiveAt })
  if (draft === undefined) throw new Error("The start is due, but the policy may not start.")
  return {
    ...result,
    account: recordSystemChange(result.account, draft, makeId),
    ran: [...result.ran, "startPolicies"]
  }
}

/** Ends a policy that was never taken up, as of the instant on which that was clear. */
const drop = (result: DueStepsResult, effectiveAt: Instant, makeId: MakeId): DueStepsResult => {
  const { now, productOf } = result.account.policy
  const state = baseState(result.account.policy)
  const stop = { reason: productOf(state).reasons.notTakenUp, createdAt: now }
  const drafts = Result.getOrThrow(Contract.stop(state, { effectiveAt, now, stop }))
  return {
    ...result,
    account: drafts.reduce(
      (account, draft) => recordSystemChange(account, draft, makeId),
      result.account
    ),
    ran: [...result.ran, "dropPolicies"]
  }
}

/** The notices that were sent on the way from one book to the other. */
const sentBetween = (before: DunningAccount, after: DunningAccount): ReadonlyArray<StoredNotice> =>
  after.dunning.notices.filter(
    (notice) => notice.status === "SENT" && !before.dunning.notices.includes(notice)
  )

/** The notices that were not there before as they are, and those that need not be sent any more. */
const noticeChanges = (before: DunningAccount, after: DunningAccount): NoticeChanges => {
  const known = new Set(before.dunning.notices)
  const kept = new Set(after.dunning.notices.map(({ id }) => id))
  return {
    put: after.dunning.notices.filter((notice) => !known.has(notice)),
    removed: before.dunning.notices.flatMap(({ id }) => (kept.has(id) ? [] : [id]))
  }
}
