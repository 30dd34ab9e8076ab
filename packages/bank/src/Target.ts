/**
 * The days on which euros move between banks: the calendar of TARGET. It is closed on Saturdays, Sundays,
 * 1 January, Good Friday, Easter Monday, 1 May, 25 and 26 December, and open on every national holiday.
 */
import { easterSunday } from "@quittance/domain/values/Easter"
import {
  fromEpochDay,
  type LocalDate,
  toCivil,
  toEpochDay
} from "@quittance/domain/values/LocalDate"

/** Whether TARGET is open on a day. */
export const isOpen = (date: LocalDate): boolean => isOpenDay(toEpochDay(date))

/** The first TARGET day from a day on, which may be that day itself. */
export const firstOpen = (date: LocalDate): LocalDate => {
  let day = toEpochDay(date)
  while (!isOpenDay(day)) day++
  return fromEpochDay(day)
}

/**
 * The TARGET day that lies a number of TARGET days after a day, or before it where the number is negative.
 * The day itself is not counted and need not be open; with 0 it is the day itself.
 */
export const addTargetDays = (date: LocalDate, days: number): LocalDate => {
  const step = days < 0 ? -1 : 1
  let day = toEpochDay(date)
  for (let left = Math.abs(days); left > 0;) {
    day += step
    if (isOpenDay(day)) left--
  }
  return fromEpochDay(day)
}

const isOpenDay = (epochDay: number): boolean => {
  // 1970-01-01 was a Thursday; 0 is Sunday.
  const weekday = (((epochDay + 4) % 7) + 7) % 7
  if (weekday === 0 || weekday === 6) return false
  const { day, month, year } = toCivil(fromEpochDay(epochDay))
  if ((month === 1 || month === 5) && day === 1) return false
  if (month === 12 && (day === 25 || day === 26)) return false
  if (month !== 3 && month !== 4) return true
  const easter = easterSunday(year)
  return epochDay !== easter - 2 && epochDay !== easter + 1
}
