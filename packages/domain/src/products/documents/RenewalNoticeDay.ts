/**
 * The days that the law counts back from the end of a term: until when the customer may refuse the next
 * one, and until when the insurer has to have told them so.
 */
import {
  addDays,
  addMonths,
  fromEpochDay,
  type LocalDate,
  toEpochDay
} from "../../values/LocalDate.ts"
import type { Refusal } from "../ProductTerms.ts"

export interface RenewalDays {
  /** The last day on which the customer may refuse. */
  readonly refuseBy: LocalDate
  /** The last day on which the notice of the renewal is sent in time. */
  readonly noticeBy: LocalDate
}

/**
 * Counted on the calendar from the first day of the next term; a month that lacks the day has its last one.
 * France: two months and then fifteen days, art. L113-15-1 code des assurances.
 */
export const renewalDays = ({ before, notice }: Refusal, nextTermOn: LocalDate): RenewalDays => {
  const { amount, unit } = before
  const refuseBy =
    unit === "YEAR" || unit === "MONTH"
      ? addMonths(nextTermOn, -amount * (unit === "YEAR" ? 12 : 1))
      : addDays(nextTermOn, -amount * (unit === "WEEK" ? 7 : 1))
  return { refuseBy, noticeBy: addDays(refuseBy, -notice.leadDays) }
}

/** Four years have every length of month and every leap day once. */
const daysOfFourYears = 1461

/** So many days before the end of a term, at most, the notice has to be sent. */
export const mostNoticeDays = (refusal: Refusal): number => {
  let most = 0
  for (let day = 0; day < daysOfFourYears; day++) {
    most = Math.max(most, day - toEpochDay(renewalDays(refusal, fromEpochDay(day)).noticeBy))
  }
  return most
}
