/** The windows of a term that are billed together, and the day on which each is planned. */
import type { Duration } from "@quittance/domain/values/Duration"
import {
  InvalidInvoicingConfig,
  type InvoicingConfig
} from "@quittance/domain/products/InvoicingConfig"
import { epochDayInMonth, toCivil, toEpochDay } from "@quittance/domain/values/LocalDate"
import type { InvoicingTerms } from "@quittance/domain/products/ProductTerms"
import { onePeriod, type Period, periodsOfTerm } from "./BillingCalendar.ts"
import type { Term } from "./Term.ts"
import type { InvoiceCause } from "@quittance/domain/values/Ids"

/** What a product says of invoicing. */
export type BillingSettings = Pick<InvoicingTerms, "alignment" | "issueLeadDays" | "dueDays">

/** Epoch days `[start, end)` that one instalment bills. */
export interface BillingWindow {
  readonly cause: InvoiceCause
  readonly start: number
  readonly end: number
  /** The epoch day on which it is planned. */
  readonly issueOn: number
}

export interface TermLayout {
  readonly periods: ReadonlyArray<Period>
  /** In the order of their days; they periodsBetween the term up to a stop. */
  readonly windows: ReadonlyArray<BillingWindow>
}

/** Where windows end before their periods do. */
export interface Bounds {
  /** The first epoch day after a stop. */
  readonly stopOn?: number | undefined
  /** The first epoch days after what was billed on the grid. */
  readonly billedTo?: ReadonlyArray<number>
}

/**
 * Periods and windows of a term. A stop cuts its window short, and none begins after it; the periods,
 * and with them what a day costs, stay as they are. In arrear, what was billed up to a stop that counts
 * no more is a window of its own, and the rest of its period another: each follows its own days.
 *
 * @param signedOn the epoch day of the signature: nothing is planned before it
 * @throws InvalidInvoicingConfig where an early payment has no usable length
 */
export const layOut = (
  term: Term,
  invoicing: InvoicingConfig,
  settings: BillingSettings,
  signedOn: number,
  { billedTo = [], stopOn = Number.POSITIVE_INFINITY }: Bounds = {}
): TermLayout => {
  const [start, end] = [toEpochDay(term.start), toEpochDay(term.end)]
  const first = firstPaymentOf(term, invoicing, signedOn)
  const periods =
    term.subDay || (first !== undefined && first.full)
      ? [onePeriod(start, end)]
      : periodsOfTerm(
          {
            frequency: invoicing.frequency,
            alignment: settings.alignment,
            anchorDay: term.anchorDay
          },
          term.start,
          term.end
        )
  const earliest = first === undefined ? signedOn : Math.max(signedOn, first.issueOn)
  const windows: Array<BillingWindow> = []
  const paidFirst = first === undefined ? start : first.full ? end : Math.min(first.until, end)
  if (first !== undefined && start < stopOn) {
    const windowEnd = Math.min(paidFirst, stopOn)
    windows.push({ cause: "FIRST_PAYMENT", start, end: windowEnd, issueOn: earliest })
  }
  const inAdvance = invoicing.timing === "IN_ADVANCE"
  for (const period of periods) {
    const from = Math.max(period.start, paidFirst)
    const to = Math.min(period.end, stopOn)
    for (const [start, end] of inAdvance ? [[from, to] as const] : cutAt(billedTo, from, to)) {
      if (end <= start) continue
      const planned = inAdvance ? start - settings.issueLeadDays : end
      windows.push({ cause: "", start, end, issueOn: Math.max(planned, earliest) })
    }
  }
  return { periods, windows }
}

/** The stretches of `[from, to)` between days, in order. */
const cutAt = (
  days: ReadonlyArray<number>,
  from: number,
  to: number
): ReadonlyArray<readonly [from: number, to: number]> => {
  const inside = days.filter((day) => from < day && day < to)
  const bounds = [from, ...[...new Set(inside)].sort((a, b) => a - b), to]
  return bounds.slice(1).map((bound, index) => [bounds[index]!, bound])
}

interface FirstPayment {
  readonly full: boolean
  /** The first epoch day that the first payment does not cover. */
  readonly until: number
  readonly issueOn: number
}

/** Only the first term has a first payment; a term of hours has at most the full one. */
const firstPaymentOf = (
  term: Term,
  { earlyPayment, firstPayment }: InvoicingConfig,
  signedOn: number
): FirstPayment | undefined => {
  if (term.number > 1 || firstPayment === "NONE") return undefined
  const start = toEpochDay(term.start)
  const issueOn = firstPayment.endsWith("_AT_SIGNATURE") ? signedOn : start
  if (firstPayment.startsWith("FULL_") || term.subDay) {
    return { full: true, until: toEpochDay(term.end), issueOn }
  }
  if (earlyPayment === undefined) {
    throw new InvalidInvoicingConfig({ reason: `${firstPayment} needs an \`earlyPayment\`.` })
  }
  return { full: false, until: earlyEnd(term, earlyPayment), issueOn }
}

/** The first epoch day after an early payment; beyond the calendar's end is beyond any term's end too. */
const earlyEnd = (term: Term, { amount, unit }: Duration): number => {
  const { day, month, year } = toCivil(term.start)
  const inMonths = (months: number) => epochDayInMonth(year * 12 + month - 1 + months, day)
  switch (unit) {
    case "YEAR":
      return inMonths(amount * 12)
    case "MONTH":
      return inMonths(amount)
    case "WEEK":
      return toEpochDay(term.start) + amount * 7
    case "DAY":
      return toEpochDay(term.start) + amount
    default:
      throw new InvalidInvoicingConfig({
        reason: "An early payment covers whole days; choose DAY, WEEK, MONTH or YEAR."
      })
  }
}
