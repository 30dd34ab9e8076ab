/** What unpaid premiums lead to for one policy by its now, decided in memory like every due step. */
import type { StoredNotice } from "@quittance/domain/dunning/DunningRecords"
import { dunningSteps, type DunningStep, outsideHoldsNow } from "./Dunning.ts"
import type { DunningFacts } from "./DunningTimeline.ts"
import { type CoverChanges, coverChanges, type CoverStep, coverSteps } from "./DunningChanges.ts"
import { isUndoneByPayment } from "./Termination.ts"
import type { Change } from "@quittance/domain/policies/Change"
import * as Contract from "@quittance/domain/policies/LifecycleCommands"
import { earliest, type Instant } from "@quittance/domain/values/Instant"
import type { Draft } from "@quittance/domain/policies/PolicyCommands"
import { unpaidPremium } from "@quittance/domain/policies/PolicyState"
import { awaitsFirstPayment } from "@quittance/domain/policies/PolicyView"
import { Result } from "effect"
import type { DunningAccount } from "./DunningAccount.ts"
import { coverHistory, dunningFacts, isInOrder } from "./DunningFacts.ts"
import type { MakeId } from "@quittance/domain/values/PrefixedId"
import type { Job } from "@quittance/domain/billing/Job"
import { stateOf } from "@quittance/domain/policies/aggregate/PolicyAggregate"
import { recordSystemChange } from "../billing/account/SystemChange.ts"
import { baseState } from "@quittance/domain/policies/aggregate/BaseTimeline"
import type { InvoiceId } from "@quittance/domain/values/Ids"

/** What dunning made of a book. */
export interface Dunned {
  readonly account: DunningAccount
  readonly ran: ReadonlyArray<Job>
  /** When the next step follows by itself; absent where none does. */
  readonly nextDueAt: Instant | undefined
}

/** What the facts of a book ask for by its now. */
interface Decision extends CoverChanges<Change["id"]> {
  readonly facts: DunningFacts
  readonly wanted: ReadonlyArray<CoverStep>
  /** None once the contract has ended: then a notice has nothing to stop. */
  readonly notices: ReadonlyArray<DunningStep>
}

const decisions = new WeakMap<DunningAccount, Decision | undefined>()

/** Worked out once for each book: what has to be read depends on it before it is followed. */
const decisionOf = (account: DunningAccount): Decision | undefined => {
  if (!decisions.has(account)) decisions.set(account, decide(account))
  return decisions.get(account)
}

const decide = (account: DunningAccount): Decision | undefined => {
  const { policy } = account
  const state = baseState(policy)
  if (isInOrder(account) || awaitsFirstPayment(policy.productOf(state), state)) return undefined
  const recorded = coverHistory(account)
  const facts = dunningFacts(account, recorded)
  const undone = recorded.endedByHand
    .filter(({ effectiveAt }) => isUndoneByPayment(facts, effectiveAt))
    .flatMap((stop) => Contract.withAnnouncement(policy.changes, stop))
  const history = undone.length === 0 ? recorded : coverHistory(account, undone)
  const steps = dunningSteps(facts, history.waivers)
  const wanted = coverSteps(steps, history)
  const { reverted, toTake } = coverChanges(wanted, history.taken, policy.now)
  const isOver =
    wanted.some(({ at, kind }) => kind === "TERMINATE" && at <= policy.now) ||
    history.stretches.findLast(({ from }) => from <= policy.now)?.contract === "STOPPED"
  return {
    facts,
    wanted,
    notices: isOver
      ? []
      : outsideHoldsNow(
          steps.filter(({ kind }) => kind === "NOTICE"),
          facts,
          policy.now
        ),
    reverted: [...undone.map(({ id }) => id), ...reverted],
    toTake
  }
}

/** Whether following the dunning of a book changes what is invoiced: it ends, or goes on after all. */
export const dunningMovesBills = (account: DunningAccount): boolean => {
  const decision = decisionOf(account)
  return (
    decision !== undefined &&
    (decision.reverted.length > 0 || decision.toTake.some(({ kind }) => kind === "TERMINATE"))
  )
}

/** From when on the next step of dunning that is due is effective. */
export const nextDunningAt = (account: DunningAccount): Instant | undefined =>
  decisionOf(account)?.toTake[0]?.at

/** Takes every step of dunning that is due, and reverts those that a payment has made unnecessary. */
export const followDunning = (account: DunningAccount, makeId: MakeId): Dunned => {
  const decision = decisionOf(account)
  if (decision === undefined) return { account, ran: [], nextDueAt: undefined }
  const { facts, notices, reverted, toTake, wanted } = decision
  const undone = reverted.reduce((sofar, id) => {
    // It was found in this log.
    const change = sofar.policy.changes.find((one) => one.id === id)!
    return recordSystemChange(sofar, Contract.undo(change), makeId)
  }, account)
  const covered = toTake.reduce(
    (sofar, step) => recordSystemChange(sofar, draftOf(sofar, facts, step), makeId),
    undone
  )
  const noticed = withNotices(covered, facts, notices, makeId)
  const { now } = account.policy
  const instants = [...wanted.map(({ at }) => at), ...notices.map(({ dueAt }) => dueAt)]
  return {
    account: noticed,
    ran: [
      ...toTake.map(({ kind }) => jobs[kind]),
      ...(noticed === covered ? [] : ["noticePayers" as const])
    ],
    nextDueAt: earliest(instants.filter((at) => at > now))
  }
}

const jobs = {
  SUSPEND: "suspendPolicies",
  REACTIVATE: "reactivatePolicies",
  TERMINATE: "terminatePolicies"
} as const

/** A step as a change, effective at its own instant whenever it is found out. */
const draftOf = (
  { policy }: DunningAccount,
  { rule }: DunningFacts,
  { at, kind }: CoverStep
): Draft => {
  const state = stateOf(policy.changes, { branchId: policy.head.defaultBranchId }, at)
  switch (kind) {
    case "SUSPEND":
      return Result.getOrThrow(Contract.suspend(state, at, { reason: unpaidPremium }))
    case "REACTIVATE":
      return Result.getOrThrow(Contract.reactivate(state, at))
    case "TERMINATE": {
      const stop = { reason: rule.stopReason, createdAt: policy.now }
      const { now } = policy
      // It is due, so that nothing is announced.
      return Result.getOrThrow(Contract.stop(state, { effectiveAt: at, now, stop }))[0]!
    }
  }
}

/**
 * The notices as they have to be: for each payer one to be sent over all that may be noticed by now,
 * sent at once where the tenant's notices go by the simulated post. It is dispatched now, however long
 * it could have been.
 */
const withNotices = (
  account: DunningAccount,
  { debts, rule }: DunningFacts,
  steps: ReadonlyArray<DunningStep>,
  makeId: MakeId
): DunningAccount => {
  const { dunning, policy } = account
  const { now } = policy
  const channel = rule.notice?.channel
  const unpaid = new Set(
    debts.flatMap(({ invoiceId, settledAt, waived }) =>
      settledAt === undefined && waived !== true ? [invoiceId] : []
    )
  )
  const due = steps
    .filter(({ dueAt }) => dueAt <= now)
    .flatMap(({ invoiceIds }) => invoiceIds.filter((id) => unpaid.has(id)))
  const waiting = dunning.notices.filter(({ status }) => status === "TO_SEND")
  if (channel === undefined || (due.length === 0 && waiting.length === 0)) return account
  const payerOf = new Map(
    debts.map(({ invoiceId, payerCustomerId }) => [invoiceId, payerCustomerId])
  )
  const wanted = [...Map.groupBy(due, (id) => payerOf.get(id)!)].map(
    ([customerId, invoiceIds]): StoredNotice => {
      const known = waiting.find((notice) => notice.customerId === customerId)
      const id = known?.id ?? makeId("formal_notice")
      const notice: StoredNotice = {
        id,
        policyId: policy.head.id,
        customerId,
        invoiceIds: [...new Set(invoiceIds)].sort(),
        status: "TO_SEND",
        channel,
        createdAt: known?.createdAt ?? now,
        sentAt: null,
        evidence: null,
        announcesTermination: rule.terminate.mode === "ANNOUNCED"
      }
      if (dunning.dispatch === "BY_HAND") {
        return known !== undefined && isSame(known.invoiceIds, notice.invoiceIds) ? known : notice
      }
      const evidence = { carrier: "SIMULATED_POST", reference: id }
      return { ...notice, status: "SENT", channel: "SIMULATED_POST", sentAt: now, evidence }
    }
  )
  const isUnchanged =
    wanted.length === waiting.length && wanted.every((notice) => waiting.includes(notice))
  if (isUnchanged) return account
  const others = dunning.notices.filter((notice) => !waiting.includes(notice))
  return { ...account, dunning: { ...dunning, notices: [...others, ...wanted] } }
}

const isSame = (a: ReadonlyArray<InvoiceId>, b: ReadonlyArray<InvoiceId>): boolean =>
  a.length === b.length && a.every((id, index) => id === b[index])
