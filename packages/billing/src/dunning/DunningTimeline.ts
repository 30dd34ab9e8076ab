/**
 * What unpaid premiums lead to: when cover is suspended, when the contract may be terminated, when cover is
 * reactivated.
 *
 * France: art. L113-3 and R113-1 code des assurances. A formal notice may be sent ten days after the due
 * date. Cover is suspended thirty days after the notice. Ten days later the insurer may terminate. Cover is
 * reactivated at noon of the day after the arrears are paid, at the latest when the insurance year ends.
 */
import { type Duration, isSubDay } from "@quittance/domain/values/Duration"
import { type Instant, max as later } from "@quittance/domain/values/Instant"
import { addDays, addMonths, type LocalDate } from "@quittance/domain/values/LocalDate"
import type { Dunning } from "@quittance/domain/products/ProductTerms"
import {
  localDate,
  noonOf,
  plus,
  startOfDay,
  type TimeZone
} from "@quittance/domain/values/TimeZone"
import type { CustomerId, FormalNoticeId, InvoiceId } from "@quittance/domain/values/Ids"

/** An invoice as dunning sees it. */
export interface Debt {
  readonly invoiceId: InvoiceId
  readonly payerCustomerId: CustomerId
  readonly dueOn: LocalDate
  /** Whether it is the first premium of the policy. */
  readonly isFirst: boolean
  /** When nothing was left to pay, by the instants of the payments; absent while it is unpaid. */
  readonly settledAt?: Instant | undefined
  /** Settled without money, by a credit or a write-off: it is no debt any more. */
  readonly waived?: boolean | undefined
  /** Written off. The first premium is waited for all the same, where there is no cover before it. */
  readonly isWrittenOff?: boolean | undefined
  /** The notice whose cost it is. It leads to no step, but suspended cover waits for its payment too. */
  readonly costOf?: FormalNoticeId | undefined
  /** When a bank returned a payment. Notices sent earlier no longer apply to this invoice. */
  readonly reopenedAt?: Instant | undefined
  /** A debit is about to pay it: no notice is written before, unless that has come. */
  readonly awaitedUntil?: Instant | undefined
  /** When it was asked for; where it is absent, before any payment. */
  readonly askedAt?: Instant | undefined
  /** Charged because a payment reversed a termination. If both have the same instant, the charge is second. */
  readonly followsPayment?: boolean | undefined
}

/** A formal notice whose dispatch is proven. */
export interface SentNotice {
  /** By which its cost is found; absent where it can have none. */
  readonly id?: FormalNoticeId | undefined
  readonly invoiceIds: ReadonlyArray<InvoiceId>
  readonly sentAt: Instant
  /** Whether it said that the contract ends by itself when it stays unpaid. */
  readonly announcesTermination: boolean
}

/** No step is taken in `[from, to)`; without `to` until it is lifted. */
export interface Hold {
  readonly from: Instant
  readonly to?: Instant | undefined
}

export interface DunningFacts {
  readonly rule: Dunning
  readonly timeZone: TimeZone
  readonly startedAt: Instant
  /** The ends of insurance years, in order: a suspension does not outlast its own. */
  readonly yearEnds: ReadonlyArray<Instant>
  readonly debts: ReadonlyArray<Debt>
  readonly notices: ReadonlyArray<SentNotice>
  readonly holds: ReadonlyArray<Hold>
}

/** What follows from one notice, or from one debt where the law asks for none. */
export interface DunningTimeline {
  readonly invoiceIds: ReadonlyArray<InvoiceId>
  /** The first instant without cover; absent where the debt is paid before, or a hold has no end. */
  readonly suspendedAt?: Instant
  /** The first instant at which the contract may be ended; absent where the debt is paid before. */
  readonly terminableAt?: Instant
  /** Whether it ends by itself then. */
  readonly endsByItself: boolean
  /** The first instant with cover again. */
  readonly reactivatedAt?: Instant
  /** When nothing of it was left to pay; absent while something is. */
  readonly settledAt?: Instant
  /** When it was fully paid; absent if a credit or a write-off settled a part. */
  readonly paidAt?: Instant
}

/** The first day on which a formal notice may be sent for an invoice: `sentAt` before it is refused. */
export const noticeableFrom = (rule: Pick<Dunning, "grace">, dueOn: LocalDate): LocalDate =>
  addDays(rule.grace === undefined ? dueOn : dayAfter(dueOn, rule.grace), 1)

/** What follows from each notice, or from each debt where no notice is needed. */
export const dunningTimelinesOf = (facts: DunningFacts): ReadonlyArray<DunningTimeline> => {
  const { notices, rule, startedAt } = facts
  const debts = facts.debts.filter(({ costOf }) => costOf === undefined)
  const first = debts
    .filter(({ isFirst }) => isFirst && rule.firstPremium === "NO_COVER")
    .map((debt) => (debt.isWrittenOff === true ? { ...debt, settledAt: undefined } : debt))
    .map((debt) => timelineOf(facts, [debt], undefined, startedAt))
  const noticed = notices.map((notice) => {
    const named = debts.filter(
      ({ invoiceId, reopenedAt }) =>
        notice.invoiceIds.includes(invoiceId) &&
        (reopenedAt === undefined || reopenedAt <= notice.sentAt)
    )
    return timelineOf(facts, named, notice, undefined)
  })
  const unnoticed = needsNotice(rule) ? [] : debts.map((debt) => timelineOf(facts, [debt]))
  return [...first, ...noticed, ...unnoticed].filter(({ invoiceIds }) => invoiceIds.length > 0)
}

const needsNotice = ({ notice, suspend }: Dunning): boolean =>
  notice?.required === true || suspend.from === "NOTICE"

const timelineOf = (
  facts: DunningFacts,
  own: ReadonlyArray<Debt>,
  notice?: SentNotice,
  withoutCoverFrom?: Instant
): DunningTimeline => {
  const { holds, rule, timeZone } = facts
  const bases = {
    DUE_DATE: own.map(({ dueOn }) => dueOn).sort()[0],
    NOTICE: notice === undefined ? undefined : localDate(notice.sentAt, timeZone)
  }
  const invoiceIds = own.map(({ invoiceId }) => invoiceId)
  const endsByItself =
    rule.terminate.mode === "AUTOMATIC" ||
    (rule.terminate.mode === "ANNOUNCED" && notice?.announcesTermination === true)
  const settledAt = settledBy(own)
  const paidAt = own.some(({ waived }) => waived === true) ? undefined : settledAt
  const timeline = { invoiceIds, endsByItself, ...(paidAt === undefined ? {} : { paidAt }) }
  const base = bases[rule.suspend.from]
  const planned =
    withoutCoverFrom ??
    (base === undefined ? undefined : endAfter(base, rule.suspend.after, timeZone))
  const reopened = own
    .flatMap(({ reopenedAt }) => reopenedAt ?? [])
    .sort()
    .at(-1)
  const suspendedAt = outsideHolds(
    planned === undefined || reopened === undefined ? planned : later(planned, reopened),
    holds
  )
  if (suspendedAt === undefined || (settledAt !== undefined && settledAt < suspendedAt)) {
    return timeline
  }
  const owedSince = [bases.DUE_DATE, reopened && localDate(reopened, timeZone)]
    .filter((day) => day !== undefined)
    .sort()
    .at(-1)
  const terminableAt = terminationOf(facts, { ...bases, DUE_DATE: owedSince }, suspendedAt)
  const reactivatedAt = reactivationOf(facts, own, suspendedAt, notice?.id)
  return {
    ...timeline,
    endsByItself:
      endsByItself && (terminableAt === undefined || !isRevivedBy(facts, paidAt, terminableAt)),
    suspendedAt,
    ...(settledAt === undefined ? {} : { settledAt }),
    ...(terminableAt === undefined || (settledAt !== undefined && settledAt < terminableAt)
      ? {}
      : { terminableAt }),
    ...(reactivatedAt === undefined ? {} : { reactivatedAt })
  }
}

const terminationOf = (
  { holds, rule: { terminate }, timeZone }: DunningFacts,
  bases: Readonly<Record<"DUE_DATE" | "NOTICE", LocalDate | undefined>>,
  suspendedAt: Instant
): Instant | undefined => {
  if (terminate.from === "SUSPENSION") {
    // The first day without cover counts.
    const dayBefore = addDays(localDate(suspendedAt, timeZone), -1)
    return outsideHolds(endAfter(dayBefore, terminate.after, timeZone), holds)
  }
  const base = bases[terminate.from]
  if (base === undefined) return undefined
  const end = outsideHolds(endAfter(base, terminate.after, timeZone), holds)
  // No step is skipped: cover stops before the contract does.
  return end === undefined ? undefined : later(end, suspendedAt)
}

/**
 * Whether a payment undoes a termination (Germany: § 38 (3) VVG, a month after it). Cover then resumes
 * with the payment; the time until then stays without.
 */
export const isRevivedBy = (
  { rule: { reviveWithin }, timeZone }: Pick<DunningFacts, "rule" | "timeZone">,
  paidAt: Instant | undefined,
  terminatedAt: Instant
): boolean => {
  if (reviveWithin === undefined || paidAt === undefined) return false
  const lastDay = addDays(localDate(terminatedAt, timeZone), -1)
  return paidAt < endAfter(lastDay, reviveWithin, timeZone)
}

/**
 * When cover is reactivated: the noticed invoices, the cost of the notice and the invoices that fell due
 * during the suspension are paid, or the insurance year ends. A payment that a bank returns later is a new
 * debt, and so is a charge that was invoiced only after the payment.
 */
const reactivationOf = (
  { debts, rule, timeZone, yearEnds }: DunningFacts,
  own: ReadonlyArray<Debt>,
  suspendedAt: Instant,
  noticeId: FormalNoticeId | undefined
): Instant | undefined => {
  const from = localDate(suspendedAt, timeZone)
  const yearEnd = yearEnds.find((end) => end > suspendedAt)
  let paidAt = settledBy(own)
  for (let known: Instant | undefined; paidAt !== undefined && paidAt !== known;) {
    known = paidAt
    const [paid, until] = [known, localDate(known, timeZone)]
    const arrears = debts.filter(
      (debt) =>
        ((debt.dueOn >= from && debt.dueOn <= until) ||
          (debt.costOf !== undefined && debt.costOf === noticeId)) &&
        wasAsked(debt, paid)
    )
    paidAt = settledBy([...own, ...arrears])
  }
  const resumed = paidAt === undefined ? undefined : resumeAfter(rule, paidAt, timeZone)
  return resumed === undefined || (yearEnd !== undefined && yearEnd < resumed) ? yearEnd : resumed
}

/** Whether the payer had been asked for this debt by the instant of a payment. */
const wasAsked = ({ askedAt, followsPayment, reopenedAt }: Debt, paidAt: Instant): boolean =>
  (reopenedAt === undefined || reopenedAt <= paidAt) &&
  (askedAt === undefined || askedAt < paidAt || (askedAt === paidAt && followsPayment !== true))

const resumeAfter = ({ reactivation }: Dunning, paidAt: Instant, timeZone: TimeZone): Instant => {
  if (reactivation === "IMMEDIATE") return paidAt
  const nextDay = addDays(localDate(paidAt, timeZone), 1)
  // The end of a day is the first instant of the next.
  return reactivation === "NEXT_DAY_NOON"
    ? noonOf(nextDay, timeZone)
    : startOfDay(nextDay, timeZone)
}

/** When the last of some debts was settled; `undefined` while one is unpaid. */
const settledBy = (debts: ReadonlyArray<Debt>): Instant | undefined => {
  const instants = debts.flatMap(({ settledAt }) => settledAt ?? [])
  return instants.length < debts.length ? undefined : instants.sort().at(-1)
}

/** The first instant after a period that starts with the day after `day`. */
const endAfter = (day: LocalDate, after: Duration, timeZone: TimeZone): Instant =>
  isSubDay(after)
    ? plus(startOfDay(addDays(day, 1), timeZone), after, 1, timeZone)
    : startOfDay(addDays(dayAfter(day, after), 1), timeZone)

/** The day so long after another one. */
const dayAfter = (day: LocalDate, { amount, unit }: Duration): LocalDate => {
  switch (unit) {
    case "YEAR":
      return addMonths(day, amount * 12)
    case "MONTH":
      return addMonths(day, amount)
    case "WEEK":
      return addDays(day, amount * 7)
    default:
      return addDays(day, amount)
  }
}

/** What falls into a hold waits for its end; `undefined` while that is open. */
export const outsideHolds = (
  instant: Instant | undefined,
  holds: ReadonlyArray<Hold>
): Instant | undefined => {
  if (instant === undefined) return undefined
  const hold = holds.find(({ from, to }) => from <= instant && (to === undefined || instant < to))
  return hold === undefined ? instant : outsideHolds(hold.to, holds)
}
