/**
 * A day on the calendar of a place: `2026-01-31`, apart from any instant.
 *
 * The text is the value itself, on the wire, in the database and in the code: two days compare with
 * `<` and `===`. Arithmetic goes through the epoch day, the number of days since 1970-01-01.
 */
import { Schema } from "effect"
import { remember } from "./MemoizeByDay.ts"

const form = /^(\d{4})-(\d{2})-(\d{2})$/u

/** A day that exists, in the years 0001 to 9999. */
export const LocalDate = Schema.String.check(
  Schema.makeFilter((text) => exists(text), {
    message: "Expected a day that exists, such as 2026-01-31"
  })
)
  .pipe(Schema.brand("LocalDate"))
  .annotate({ identifier: "LocalDate", format: "date" })
export type LocalDate = typeof LocalDate.Type

/** A day outside the years 0001 to 9999: a length of time that leads there is too long. */
export class DateOutOfRange extends Schema.TaggedError<DateOutOfRange>()("DateOutOfRange", {}) {
  override get message() {
    return "A date leaves the years 0001 to 9999; choose a shorter length of time."
  }
}

/** The day that a text names; `undefined` when it names none, such as 31 February. */
export const parse = (text: string): LocalDate | undefined =>
  // `exists` has just checked what the brand stands for.
  exists(text) ? (text as LocalDate) : undefined

export interface Civil {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  /** 1 to 31. */
  readonly day: number
}

export const toCivil = (date: LocalDate): Civil => ({
  year: digits(date, 0, 4),
  month: digits(date, 5, 7),
  day: digits(date, 8, 10)
})

/** Days since 1970-01-01 in the proleptic Gregorian calendar. */
export const toEpochDay = (date: LocalDate): number =>
  civilToEpochDay(digits(date, 0, 4), digits(date, 5, 7), digits(date, 8, 10))

/** @throws DateOutOfRange outside the years 0001 to 9999 */
export const fromEpochDay = (epochDay: number): LocalDate => textOf(epochDay)

const textOf = remember((epochDay): LocalDate => {
  if (epochDay < firstEpochDay || epochDay > lastEpochDay) throw new DateOutOfRange({})
  const { day, month, year } = epochDayToCivil(epochDay)
  const text = `${year < 1000 ? String(year).padStart(4, "0") : year}-${twoDigits(month)}-${twoDigits(day)}`
  // Made from a day that exists, in the canonical form.
  return text as LocalDate
})

/** @throws DateOutOfRange outside the years 0001 to 9999 */
export const addDays = (date: LocalDate, days: number): LocalDate =>
  fromEpochDay(toEpochDay(date) + days)

/**
 * `months` after an anchor, on the anchor's day of the month or the month's last day. Every date of a
 * series is counted from its anchor: from 31 January 28 February, then 31 March, never 28 March.
 *
 * @throws DateOutOfRange outside the years 0001 to 9999
 */
export const addMonths = (
  anchor: LocalDate,
  months: number,
  anchorDay: number = dayOfMonth(anchor)
): LocalDate => {
  const { month, year } = toCivil(anchor)
  return fromEpochDay(epochDayInMonth(year * 12 + month - 1 + months, anchorDay))
}

/** Days from `start` to `end`; negative when `end` is the earlier one. */
export const daysBetween = (start: LocalDate, end: LocalDate): number =>
  toEpochDay(end) - toEpochDay(start)

export const dayOfMonth = (date: LocalDate): number => digits(date, 8, 10)

export const min = (a: LocalDate, b: LocalDate): LocalDate => (a <= b ? a : b)
export const max = (a: LocalDate, b: LocalDate): LocalDate => (a >= b ? a : b)

/**
 * The epoch day of a day of the month, or of the month's last day where the month is shorter.
 *
 * @param month months since the year 0: `year * 12 + month - 1`
 */
export const epochDayInMonth = (month: number, day: number): number => {
  const year = Math.floor(month / 12)
  const monthOfYear = month - year * 12 + 1
  return civilToEpochDay(year, monthOfYear, Math.min(day, monthLength(year, monthOfYear)))
}

export const monthLength = (year: number, month: number): number =>
  month === 2
    ? isLeapYear(year)
      ? 29
      : 28
    : month === 4 || month === 6 || month === 9 || month === 11
      ? 30
      : 31

const isLeapYear = (year: number): boolean =>
  (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

const exists = (text: string): boolean => {
  const parts = form.exec(text)
  if (parts === null) return false
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= monthLength(year, month)
}

const zeroCode = "0".charCodeAt(0)

const digits = (text: string, from: number, to: number): number => {
  let value = 0
  for (let index = from; index < to; index++) value = value * 10 + text.charCodeAt(index) - zeroCode
  return value
}

/** A number of at most two digits, with both. */
export const twoDigits = (value: number): string => (value < 10 ? `0${value}` : String(value))

/*
 * The two conversions count from 1 March of the year 0 in eras of 400 years (146,097 days), so that
 * the leap day is a year's last day. Source: Howard Hinnant, "chrono-Compatible Low-Level Date
 * Algorithms", days_from_civil and civil_from_days. 719,468 days lie before 1970-01-01.
 */
export const civilToEpochDay = (year: number, month: number, day: number): number => {
  const marchYear = month <= 2 ? year - 1 : year
  const era = Math.floor(marchYear / 400)
  const yearOfEra = marchYear - era * 400
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

const epochDayToCivil = (epochDay: number): Civil => {
  const shifted = epochDay + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365
  )
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1
  }
}

/** The days `0001-01-01` and `9999-12-31`. */
export const firstEpochDay = civilToEpochDay(1, 1, 1)
export const lastEpochDay = civilToEpochDay(9999, 12, 31)
