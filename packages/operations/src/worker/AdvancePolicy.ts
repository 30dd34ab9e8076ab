/**
 * What is due for one policy, decided in memory: the worker, a command and the test clock all come
 * here, and nothing is written before everything is decided.
 */
import { dueMinusInvoiced } from "@quittance/billing/billing/DueMinusInvoiced"
import { dueSteps, nextDueAt, startStep, type Step } from "@quittance/billing/billing/DueSteps"
import { earliest, type Instant } from "@quittance/domain/values/Instant"
import { localDate } from "@quittance/domain/values/TimeZone"
import * as Contract from "@quittance/domain/policies/LifecycleCommands"
import { start } from "@quittance/domain/policies/PolicyCommands"
import type { EntryRow } from "@quittance/persistence/billing/EntriesRepo"
import type { DocumentHead, Standing } from "@quittance/persistence/billing/InvoicesRepo"
import type { NoticeRow } from "@quittance/persistence/dunning/DunningRepo"
import { Result } from "effect"
import { type Book, billingView, issuedOf } from "../billing/PolicyAccount.ts"
import { chargeNotices } from "../billing/ChargeInvoices.ts"
import { causeOf, isDisturbed } from "../billing/CorrectionTrigger.ts"
import { dunningMovesBills, followDunning, nextDunningAt } from "../dunning/DunningSteps.ts"
import { isOfFirstPremium, openGate } from "../billing/FirstPayment.ts"
import { issue, type LinesOfDocuments, type MakeId, type UnnumberedDocument } from "../billing/InvoiceIssuing.ts"
import type { Job } from "../policies/Job.ts"
import { recordedBy } from "../billing/SystemChange.ts"
import { trunkState } from "../policies/BaseTimeline.ts"

/** What has to be written of a policy's notices. */
export interface NoticeChanges {
  readonly put: ReadonlyArray<NoticeRow>
  readonly removed: ReadonlyArray<NoticeRow["id"]>
}

/** What was decided: the book as it will be, and what has to be written. */
export interface Advanced {
  readonly book: Book
  readonly lines: LinesOfDocuments
  readonly issued: ReadonlyArray<UnnumberedDocument>
  readonly entries: ReadonlyArray<EntryRow>
  readonly ran: ReadonlyArray<Job>
  /** How documents stand that were there before and that a credit note settles. */
  readonly standings: ReadonlyArray<Standing>
  readonly notices: NoticeChanges
  /** When there is something to do next; absent where nothing follows by itself. */
  readonly nextDueAt: Instant | undefined
}

/** Far more than any policy can owe at once; beyond it a rule is wrong, and the policy is parked. */
const mostRounds = 10

/** The documents whose lines `advance` compares: all of a policy whose trunk has moved or will, else none. */
export const documentsInTheWay = (book: Book): ReadonlyArray<DocumentHead["id"]> =>
  isDisturbed(book) || dunningMovesBills(book) || isNotTakenUp(book)
    ? book.documents.map(({ id }) => id)
    : []

/** Whether the policy ends now because its first payment never came, which gives everything back. */
const isNotTakenUp = (book: Book): boolean => {
  // Asked of every policy of a batch: few products wait for a payment, and few policies for theirs.
  const state = trunkState(book.policy)
  const { notTakenUpAfterDays } = book.policy.productOf(state).activation
  if (notTakenUpAfterDays === undefined || state.contract !== "NOT_STARTED") return false
  return dueSteps(billingView(book), book.policy.now).some(({ kind }) => kind === "NOT_TAKEN_UP")
}

/**
 * Corrects what was invoiced and is no longer right, then runs what is due by the policy's now, step by
 * step, until nothing is.
 *
 * @param lines those of `documentsInTheWay`
 */
export const advance = (book: Book, lines: LinesOfDocuments, makeId: MakeId): Advanced => {
  let result: Advanced = {
    book,
    lines,
    issued: [],
    entries: [],
    ran: [],
    standings: [],
    notices: { put: [], removed: [] },
    nextDueAt: undefined
  }
  for (let round = 0; round < mostRounds; round++) {
    const corrected = begun(opened(correct(result, makeId), makeId), makeId)
    const dunned = followDunning(corrected.book, makeId)
    result = chargeNotices(
      { ...corrected, book: dunned.book, ran: [...corrected.ran, ...dunned.ran] },
      sentBetween(corrected.book, dunned.book),
      makeId
    )
    // What ends the contract comes before what would be invoiced after its end.
    if (dunned.book !== corrected.book) continue
    const view = billingView(result.book)
    const due = dueSteps(view, book.policy.now)
    if (due.length === 0) {
      return {
        ...result,
        standings: standingsOf(book, result.book),
        notices: noticeChanges(book, result.book),
        nextDueAt: earliest([nextDueAt(view, book.policy.now), dunned.nextDueAt])
      }
    }
    for (const step of due) result = take(result, step, makeId)
  }
  throw new Error("Steps stay due however often they are taken.")
}

/** Due minus invoiced, for what has been invoiced: at once, with the change that made it wrong as cause. */
const correct = (result: Advanced, makeId: MakeId): Advanced => {
  if (!isDisturbed(result.book)) return result
  const { policy } = result.book
  const issued = issuedOf(result.book, result.lines)
  const view = billingView(result.book)
  const today = localDate(policy.now, view.timeZone)
  return dueMinusInvoiced(view, issued).corrections.reduce(
    (sofar, { payerCustomerId, period, term, ...correction }) =>
      issue(
        sofar,
        {
          ...correction,
          key: { term, payerCustomerId, periodStart: period.start, cause: causeOf(policy) },
          period,
          issueOn: today,
          dueOn: today,
          isFirst: isOfFirstPremium(result.book)
        },
        makeId
      ),
    result
  )
}

/** What was issued may have settled the first invoice; what a stop gives back lets no cover begin. */
const opened = (result: Advanced, makeId: MakeId): Advanced =>
  trunkState(result.book.policy).contract === "STOPPED"
    ? result
    : { ...result, book: openGate(result.book, makeId) }

/** Cover that begins no later than what unpaid premiums lead to begins before that is followed. */
const begun = (result: Advanced, makeId: MakeId): Advanced => {
  const dunningAt = nextDunningAt(result.book)
  if (dunningAt === undefined) return result
  const { now } = result.book.policy
  const [start] = startStep(billingView(result.book))
  return start !== undefined && start.dueAt <= now && start.effectiveAt <= dunningAt
    ? take(result, start, makeId)
    : result
}

const take = (result: Advanced, step: Step, makeId: MakeId): Advanced => {
  if (step.kind === "ISSUE") {
    return issue(result, step.instalment, makeId)
  }
  if (step.kind === "NOT_TAKEN_UP") return drop(result, step.dueAt, makeId)
  const { now, productOf } = result.book.policy
  const state = trunkState(result.book.policy)
  // What is still to come, such as a stop, shows in the state already.
  const draft = start(productOf(state), { ...state, contract: "NOT_STARTED" }, now)
  if (draft === undefined) throw new Error("The start is due, but the policy may not start.")
  return {
    ...result,
    book: recordedBy(result.book, draft, makeId),
    ran: [...result.ran, "startPolicies"]
  }
}

/** Ends a policy that was never taken up, as of the instant on which that was clear. */
const drop = (result: Advanced, effectiveAt: Instant, makeId: MakeId): Advanced => {
  const { now, productOf } = result.book.policy
  const state = trunkState(result.book.policy)
  const stop = { reason: productOf(state).reasons.notTakenUp, createdAt: now }
  const drafts = Result.getOrThrow(Contract.stop(state, { effectiveAt, now, stop }))
  return {
    ...result,
    book: drafts.reduce((book, draft) => recordedBy(book, draft, makeId), result.book),
    ran: [...result.ran, "dropPolicies"]
  }
}

/** What became of the documents that were there before. */
export const standingsOf = (before: Book, after: Book): ReadonlyArray<Standing> =>
  before.documents.flatMap((document, index) => {
    // Documents are only added, behind those that are there.
    const { id, paid, paidAt, status } = after.documents[index]!
    return paid === document.paid && status === document.status
      ? []
      : [{ id, status, paid, paidAt }]
  })

/** The notices that were sent on the way from one book to the other. */
const sentBetween = (before: Book, after: Book): ReadonlyArray<NoticeRow> =>
  after.dunning.notices.filter(
    (notice) => notice.status === "SENT" && !before.dunning.notices.includes(notice)
  )

/** The notices that were not there before as they are, and those that need not be sent any more. */
const noticeChanges = (before: Book, after: Book): NoticeChanges => {
  const known = new Set(before.dunning.notices)
  const kept = new Set(after.dunning.notices.map(({ id }) => id))
  return {
    put: after.dunning.notices.filter((notice) => !known.has(notice)),
    removed: before.dunning.notices.flatMap(({ id }) => (kept.has(id) ? [] : [id]))
  }
}
