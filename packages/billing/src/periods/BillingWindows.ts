/** The windows of a term that are billed together, and the day on which each is planned. */
import type { Duration } from "@quittance/domain/values/Duration"
import type { DocumentCause } from "@quittance/domain/billing/InvoiceLine"
import { InvalidInvoicingConfig } from "@quittance/domain/policies/Policy"
import type { InvoicingConfig } from "@quittance/domain/products/InvoicingConfig"
import { epochDayInMonth, toCivil, toEpochDay } from "@quittance/domain/values/LocalDate"
import type { InvoicingTerms } from "@quittance/domain/products/ProductTerms"
import { onePeriod, type Period, periodsOfTerm } from "./BillingCalendar.ts"
import type { Term } from "./Term.ts"

/** What a product says of invoicing. */
export type BillingSettings = Pick<InvoicingTerms, "alignment" | "issueLeadDays" | "dueDays">

/** Epoch days `[start, end)` that one instalment bills. */
export interface Window {
  readonly cause: DocumentCause
  readonly start: number
  readonly end: number
  /** The epoch day on which it is planned. */
  readonly issueOn: number
}

export interface TermLayout {
  readonly periods: ReadonlyArray<Period>
  /** In the order of their days; they tile the term up to a stop. */
  readonly windows: ReadonlyArray<Window>
}

/**
 * Periods and windows of a term. A stop cuts its window short, and none begins after it; the periods,
 * and with them what a day costs, stay as they are.
 *
 * @param signedOn the epoch day of the signature: nothing is planned before it
 * @param stopOn the first epoch day after a stop
 * @throws InvalidInvoicingConfig where an early payment has no usable length
 */
export const layOut = (
  term: Term,
  invoicing: InvoicingConfig,
  settings: BillingSettings,
  signedOn: number,
  stopOn: number = Number.POSITIVE_INFINITY
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
  const windows: Array<Window> = []
  const paidFirst = first === undefined ? start : first.full ? end : Math.min(first.until, end)
  if (first !== undefined && start < stopOn) {
    const windowEnd = Math.min(paidFirst, stopOn)
    windows.push({ cause: "FIRST_PAYMENT", start, end: windowEnd, issueOn: earliest })
  }
  for (const period of periods) {
    const windowStart = Math.max(period.start, paidFirst)
    const windowEnd = Math.min(period.end, stopOn)
    if (windowEnd <= windowStart) continue
    const planned =
      invoicing.timing === "IN_ADVANCE" ? windowStart - settings.issueLeadDays : windowEnd
    windows.push({
      cause: "",
      start: windowStart,
      end: windowEnd,
      issueOn: Math.max(planned, earliest)
    })
  }
  return { periods, windows }
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
