/** A term's instalments: every line that will be billed, by payer, and the day it is planned for. */
import * as Amount from "@quittance/domain/values/Amount"
import type { BilledLine } from "@quittance/domain/billing/InvoiceLine"
import type { DayRange } from "@quittance/domain/billing/Invoice"
import type { InvoicingConfig } from "@quittance/domain/products/InvoicingConfig"
import { fromEpochDay, type LocalDate, toEpochDay } from "@quittance/domain/values/LocalDate"
import type { PremiumItem } from "@quittance/domain/products/Quote"
import { finalStop, givesBackAll, type CoverageGap } from "./CoverageGaps.ts"
import { chargedWindows, windowLinesOf } from "./WindowLines.ts"
import type { PayersFrom } from "./Payers.ts"
import type { Term } from "../periods/Term.ts"
import { type BillingSettings, layOut, type BillingWindow } from "../periods/BillingWindows.ts"
import type { CustomerId, InvoiceCause, QuoteId } from "@quittance/domain/values/Ids"

/** The accepted quote of the days `[from, to)`; without `to` it goes on. */
export interface QuotedInterval {
  readonly from: LocalDate
  readonly to?: LocalDate | undefined
  readonly quoteId: QuoteId
  /** The price of a whole term, in its smallest pieces. */
  readonly premiumItems: ReadonlyArray<PremiumItem>
}

/** What was agreed on how a term is billed. */
export interface Agreement {
  readonly invoicing: InvoicingConfig
  readonly settings: BillingSettings
  /** The local day of the signature, or today before it: nothing is planned earlier. */
  readonly signedOn: LocalDate
  /** In order and without overlap. */
  readonly segments: ReadonlyArray<QuotedInterval>
  /** In order; at least one. */
  readonly payers: ReadonlyArray<PayersFrom>
  /** The days that are not billed, in order and without overlap; a stop for good is the last. */
  readonly coverageGaps: ReadonlyArray<CoverageGap>
  /** What lines call a component; its identifier where it has no name here. */
  readonly labels: ReadonlyMap<string, string>
  /**
   * The first days after what instalments on the grid have billed of the term. In arrear a window that a
   * stop cut short, and that goes on after all, has a second one from there on.
   */
  readonly billedTo?: ReadonlyArray<LocalDate>
}

/** What makes an instalment unique in its policy. */
export interface InstalmentKey {
  readonly term: number
  readonly payerCustomerId: CustomerId
  readonly periodStart: LocalDate
  readonly cause: InvoiceCause
}

export interface PlannedInstalment {
  readonly key: InstalmentKey
  /** The days that it bills. */
  readonly period: DayRange
  readonly issueOn: LocalDate
  /** As planned; an invoice that is issued later is due later. */
  readonly dueOn: LocalDate
  /** Whether it belongs to the policy's first invoice, the one that may gate cover. */
  readonly isFirst: boolean
  readonly lines: ReadonlyArray<BilledLine>
  readonly total: Amount.Amount
}

/** A window of a term, as far as is needed to decide whether it is asked for. */
export interface AskedWindow {
  readonly periodStart: LocalDate
  readonly cause: string
  readonly issueOn: LocalDate
}

/** Which windows of a term are asked for: the others need no lines. */
export type IsAsked = (window: AskedWindow) => boolean

/**
 * The instalments of a term, earliest days first. Without coverage gaps their lines sum to the term's price,
 * item by item, for every frequency, timing and first payment.
 *
 * @throws InvalidInvoicingConfig where an early payment has no usable length
 */
export const schedule = (
  agreement: Agreement,
  term: Term,
  isAsked: IsAsked = () => true
): ReadonlyArray<PlannedInstalment> => {
  const laidOut = askedOf(agreement, term, isAsked)
  if (laidOut === undefined) return []
  const { asked, layout, starts } = laidOut
  const pages = windowLinesOf(agreement, term, layout, asked)
  return layout.windows.flatMap((window, index) => {
    const period = { start: starts[index]!, end: fromEpochDay(window.end) }
    return [...pages[index]!].map(([payer, lines]) => ({
      ...datesOf(window, agreement.settings),
      key: {
        term: term.number,
        payerCustomerId: payer,
        periodStart: period.start,
        cause: window.cause
      },
      period,
      isFirst: isFirst(term, index),
      lines,
      total: Amount.sum(lines.map(({ amount }) => amount))
    }))
  })
}

/** A window that has instalments, without their lines. */
export type PlannedWindow = Pick<PlannedInstalment, "isFirst" | "issueOn">

/**
 * When the instalments of `schedule` are issued, window by window.
 *
 * @throws InvalidInvoicingConfig where an early payment has no usable length
 */
export const plannedWindows = (
  agreement: Agreement,
  term: Term,
  isAsked: IsAsked
): ReadonlyArray<PlannedWindow> => {
  const laidOut = askedOf(agreement, term, isAsked)
  if (laidOut === undefined) return []
  const { asked, layout } = laidOut
  const charged = chargedWindows(agreement, term, layout, asked)
  return layout.windows.flatMap(({ issueOn }, index) =>
    charged[index]! ? [{ isFirst: isFirst(term, index), issueOn: fromEpochDay(issueOn) }] : []
  )
}

/** The windows of a term, and which of them are asked for; nothing where none is. */
const askedOf = (
  { billedTo = [], invoicing, coverageGaps, settings, signedOn }: Agreement,
  term: Term,
  isAsked: IsAsked
) => {
  const stop = finalStop(coverageGaps)
  if (stop !== undefined && givesBackAll(stop, term)) return undefined
  const stopOn = stop === undefined ? undefined : toEpochDay(stop.on)
  const layout = layOut(term, invoicing, settings, toEpochDay(signedOn), {
    stopOn,
    billedTo: billedTo.map(toEpochDay)
  })
  const starts = layout.windows.map(({ start }) => fromEpochDay(start))
  const asked = layout.windows.map(({ cause, issueOn }, index) =>
    isAsked({ periodStart: starts[index]!, cause, issueOn: fromEpochDay(issueOn) })
  )
  return asked.includes(true) ? { asked, layout, starts } : undefined
}

const isFirst = (term: Term, window: number): boolean => term.number === 1 && window === 0

const datesOf = ({ issueOn }: BillingWindow, { dueDays }: BillingSettings) => ({
  issueOn: fromEpochDay(issueOn),
  dueOn: fromEpochDay(issueOn + dueDays)
})
