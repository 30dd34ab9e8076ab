/**
 * The days on which French deadlines of working days run (« jours ouvrés »): Monday to Friday without the holidays
 * of art. L3133-1 code du travail. The two more of Alsace and Moselle are not among them.
 */
import { easterSunday } from "../values/Easter.ts"
import { fromEpochDay, type LocalDate, toCivil, toEpochDay } from "../values/LocalDate.ts"

/** The n-th working day after a day, which is not counted itself and need not be one; `days` is 1 or more. */
export const addWorkingDays = (date: LocalDate, days: number): LocalDate => {
  let day = toEpochDay(date)
  for (let left = days; left > 0;) {
    day++
    if (isWorkingDay(day)) left--
  }
  return fromEpochDay(day)
}

const isWorkingDay = (epochDay: number): boolean => {
  // 1970-01-01 was a Thursday; 0 is Sunday.
  const weekday = (((epochDay + 4) % 7) + 7) % 7
  if (weekday === 0 || weekday === 6) return false
  const date = fromEpochDay(epochDay)
  if (fixedHolidays.has(date.slice(5))) return false
  return !daysAfterEaster.has(epochDay - easterSunday(toCivil(date).year))
}

/** New Year, Labour Day, Victory, Bastille Day, Assumption, All Saints, Armistice, Christmas. */
const fixedHolidays: ReadonlySet<string> = new Set([
  "01-01",
  "05-01",
  "05-08",
  "07-14",
  "08-15",
  "11-01",
  "11-11",
  "12-25"
])

/** Easter Monday, Ascension, Whit Monday. */
const daysAfterEaster: ReadonlySet<number> = new Set([1, 39, 50])
