/**
 * What happens next to a signed policy, and when. Steps are derived from the view alone, never from the
 * last run: a worker that comes late finds all it missed, in order, each with its own due instant.
 */
import type { Duration } from "@quittance/domain/values/Duration"
import { earliest, type Instant, max as later } from "@quittance/domain/values/Instant"
import type { InvoicingConfig } from "@quittance/domain/products/InvoicingConfig"
import { addDays, type LocalDate, min } from "@quittance/domain/values/LocalDate"
import { localDate, startOfDay, type TimeZone } from "@quittance/domain/values/TimeZone"
import {
  type Agreement,
  type AskedWindow,
  type InstalmentKey,
  plannedWindows,
  type PlannedInstalment,
  schedule
} from "./Schedule.ts"
import { type Term, termOf } from "../periods/Term.ts"
import type { BillingSettings } from "../periods/BillingWindows.ts"

/** How the terms that start on a day or later are invoiced, until the next entry's day. */
export interface InvoicingFrom {
  readonly from: LocalDate
  readonly invoicing: InvoicingConfig
  readonly settings: BillingSettings
}

/** A signed policy, as far as its next steps depend on it. */
export interface BillingView extends Omit<Agreement, "signedOn" | "invoicing" | "settings"> {
  /** Whether cover has yet to begin by itself: not begun, and not stopped before. */
  readonly toStart: boolean
  readonly signedAt: Instant
  /** Since when the contract has waited for its start; absent: since its signature. */
  readonly contractFrom?: Instant | undefined
  /** The planned start. */
  readonly startedAt: Instant
  readonly periodDuration: Duration
  readonly timeZone: TimeZone
  /** In order; the first holds for the first term, whenever that starts. */
  readonly invoicing: ReadonlyArray<InvoicingFrom>
  /** How many terms are agreed: 1 until the first renewal. */
  readonly terms: number
  /** Whether the product waits for the first payment before cover starts. */
  readonly gated: boolean
  /** When the policy's first invoice was issued, the last time that its cover came to wait for it. */
  readonly firstIssuedAt?: Instant | undefined
  readonly firstPaidAt?: Instant | undefined
  /** A policy that waits for its first payment is stopped once that is this many days late. */
  readonly notTakenUpAfterDays?: number | undefined
  /** The invoices that stand. */
  readonly issued: ReadonlyArray<InvoicedPeriod>
}

/** The key of an invoice, and the first day after those that it bills. */
export interface InvoicedPeriod extends InstalmentKey {
  readonly periodEnd: LocalDate
}

/** An instalment as its invoice bills it. */
export const invoicedAs = ({
  key,
  period
}: Pick<PlannedInstalment, "key" | "period">): InvoicedPeriod => ({ ...key, periodEnd: period.end })

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

/** The first premium never came: the policy ends as not taken up. */
export interface NotTakenUpStep {
  readonly kind: "NOT_TAKEN_UP"
  readonly dueAt: Instant
}

export type Step = StartStep | IssueStep | NotTakenUpStep

/** What is due by now, in the order in which it is done. */
export const dueSteps = (view: BillingView, now: Instant): ReadonlyArray<Step> => {
  const byItself = [...startStep(view), ...notTakenUpStep(view)].filter(({ dueAt }) => dueAt <= now)
  // Sorting is stable: of one instant, the start comes first, instalments by their days, an end last.
  return [
    ...byItself.filter(({ kind }) => kind === "START"),
    ...issueSteps(view, now),
    ...byItself.filter(({ kind }) => kind === "NOT_TAKEN_UP")
  ].sort((a, b) => (a.dueAt === b.dueAt ? 0 : a.dueAt < b.dueAt ? -1 : 1))
}

/** When the first step after what is due by now comes; `undefined` where nothing follows by itself. */
export const nextDueAt = (view: BillingView, now: Instant): Instant | undefined =>
  earliest(
    [...startStep(view), ...notTakenUpStep(view)]
      .map(({ dueAt }): Instant | undefined => dueAt)
      .concat(nextIssue(view, now))
      .filter((dueAt) => dueAt !== undefined && dueAt > now)
  )

/** The agreed terms, in order. */
export const termsOf = (view: BillingView): ReadonlyArray<Term> =>
  Array.from({ length: view.terms }, (_, index) => termOf(view, index + 1))

/** What was agreed for one of its terms. */
export const agreementOf = (view: BillingView, term: Term): Agreement => {
  const { invoicing, settings } =
    (term.number === 1 ? undefined : view.invoicing.findLast(({ from }) => from <= term.start)) ??
    view.invoicing[0]!
  const signedOn = localDate(view.signedAt, view.timeZone)
  if (invoicing.timing === "IN_ADVANCE") return { ...view, invoicing, settings, signedOn }
  const billedTo = view.issued.flatMap(({ cause, periodEnd, term: number }) =>
    number === term.number && cause === "" ? [periodEnd] : []
  )
  return { ...view, invoicing, settings, signedOn, billedTo }
}

/** Every instalment of the agreed terms, issued or not. */
export const instalmentsOf = (view: BillingView): ReadonlyArray<PlannedInstalment> =>
  termsOf(view).flatMap((term) => schedule(agreementOf(view, term), term))

/** The instalments whose window has no invoice, the earliest days first. */
export const instalmentsToCome = (
  view: BillingView,
  isAsked: (window: AskedWindow & { readonly term: number }) => boolean = () => true
): ReadonlyArray<PlannedInstalment> => {
  const isOpen = openWindows(view)
  return termsOf(view).flatMap((term) =>
    schedule(agreementOf(view, term), term, (asked) => {
      const window = { ...asked, term: term.number }
      return isAsked(window) && isOpen(window)
    })
  )
}

/** Finds the windows without an invoice. */
const openWindows = ({ issued }: BillingView) => {
  const invoiced = invoicedWindows(issued)
  return (window: Parameters<typeof windowText>[0]) => !invoiced.has(windowText(window))
}

/** One key for one window of a policy, for all its payers. */
export const windowText = ({
  cause,
  periodStart,
  term
}: {
  readonly term: number
  readonly periodStart: LocalDate
  readonly cause: string
}): string => `${term} ${periodStart} ${cause}`

/** The windows with an invoice: every later change in them is a correction. */
export const invoicedWindows = (issued: ReadonlyArray<InstalmentKey>): ReadonlySet<string> =>
  new Set(issued.map(windowText))

/** Whether cover waits for a payment that has not come. */
export const isAwaitingFirstPayment = ({
  firstPaidAt,
  gated
}: Pick<BillingView, "firstPaidAt" | "gated">): boolean => gated && firstPaidAt === undefined

/** When cover begins by itself, if it has not: what is sold for days before its signature, before that. */
export const startStep = (view: BillingView): ReadonlyArray<StartStep> => {
  if (!view.toStart || isAwaitingFirstPayment(view)) return []
  const effectiveAt = later(view.startedAt, view.contractFrom ?? view.signedAt)
  const known = later(effectiveAt, view.signedAt)
  const dueAt = view.gated ? later(known, view.firstPaidAt ?? known) : known
  return [{ kind: "START", dueAt, effectiveAt }]
}

/**
 * N days after the day on which cover was to begin, at 00:00 of the (N+1)th local day: until then the payment
 * is not late. Where the first invoice comes later than cover was to begin, the days count from the invoice.
 */
const notTakenUpStep = (view: BillingView): ReadonlyArray<NotTakenUpStep> => {
  const { firstIssuedAt, notTakenUpAfterDays: days, signedAt, startedAt, timeZone } = view
  if (days === undefined || firstIssuedAt === undefined || !isAwaitingFirstPayment(view)) return []
  const first = localDate(later(later(startedAt, signedAt), firstIssuedAt), timeZone)
  return [{ kind: "NOT_TAKEN_UP", dueAt: startOfDay(addDays(first, days + 1), timeZone) }]
}

/** While the first payment is outstanding only the first invoice is issued: no cover runs yet. */
const mayIssue = (view: BillingView, { isFirst }: Pick<PlannedInstalment, "isFirst">): boolean =>
  isFirst || !isAwaitingFirstPayment(view)

const issuedAt = ({ signedAt, timeZone }: BillingView, issueOn: LocalDate): Instant =>
  later(startOfDay(issueOn, timeZone), signedAt)

/** Only what is due is worked out line by line. */
const issueSteps = (view: BillingView, now: Instant): ReadonlyArray<IssueStep> => {
  if (view.signedAt > now) return []
  const today = localDate(now, view.timeZone)
  return instalmentsToCome(view, ({ issueOn }) => issueOn <= today)
    .filter((instalment) => mayIssue(view, instalment))
    .map((instalment) => ({ kind: "ISSUE", dueAt: issuedAt(view, instalment.issueOn), instalment }))
}

/** When the next instalment is issued: the first day of a window in which anything is charged. */
const nextIssue = (view: BillingView, now: Instant): Instant | undefined => {
  const today = localDate(now, view.timeZone)
  const isToCome = view.signedAt > now
  const isOpen = openWindows(view)
  const issueDays = termsOf(view).flatMap((term) =>
    plannedWindows(
      agreementOf(view, term),
      term,
      (window) => (isToCome || window.issueOn > today) && isOpen({ ...window, term: term.number })
    ).flatMap((window) => (mayIssue(view, window) ? [window.issueOn] : []))
  )
  const [first, ...others] = issueDays
  return first === undefined ? undefined : issuedAt(view, others.reduce(min, first))
}
