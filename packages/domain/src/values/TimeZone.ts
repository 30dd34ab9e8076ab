/**
 * Local days and wall clocks of IANA time zones.
 *
 * Everything is derived from one question, the zone's offset at an instant, answered by `Intl` and
 * kept. Transitions that skip midnight, or a whole day (Pacific/Apia, 2011-12-30), come out right
 * because the first instant of a day is looked for, not assumed.
 */
import { Schema } from "effect"
import { type Duration, isSubDay } from "./Duration.ts"
import { fromEpochMillis, type Instant, toEpochMillis } from "./Instant.ts"
import {
  addDays,
  addMonths,
  civilToEpochDay,
  DateOutOfRange,
  firstEpochDay,
  fromEpochDay,
  lastEpochDay,
  type LocalDate,
  toEpochDay
} from "./LocalDate.ts"
import { remember } from "./MemoizeByDay.ts"

/** A zone of the IANA database that this runtime knows: `Europe/Paris`, `UTC`. */
export const TimeZone = Schema.String.check(
  Schema.makeFilter((name) => isKnown(name), {
    message: "Expected an IANA time zone such as Europe/Paris"
  })
).annotate({ identifier: "TimeZone" })
export type TimeZone = typeof TimeZone.Type

const msPerDay = 86_400_000

/**
 * The local day that an instant falls on. The calendar's first and last day also stand for those beyond
 * it: an instant before all time is one west of Greenwich, too.
 */
export const localDate = (instant: Instant, zone: TimeZone): LocalDate => {
  const millis = toEpochMillis(instant)
  const epochDay = Math.floor((millis + clockOf(zone).offsetAt(millis)) / msPerDay)
  return fromEpochDay(Math.min(Math.max(epochDay, firstEpochDay), lastEpochDay))
}

/**
 * The first instant of a local day. Where a clock change skips midnight it is the instant of the
 * change, where midnight comes twice the first, where the day does not exist the next day's start.
 */
export const startOfDay = (date: LocalDate, zone: TimeZone): Instant =>
  clockOf(zone).startOfDay(toEpochDay(date))

/** Twelve on the wall clock of a local day. */
export const noonOf = (date: LocalDate, zone: TimeZone): Instant =>
  instantAt(clockOf(zone).resolve(toEpochDay(date) * msPerDay + msPerDay / 2))

/**
 * A time of a local day; one that the clock leaps over is as much later.
 *
 * @param time hours and minutes, such as `15:00`
 */
export const timeOfDay = (date: LocalDate, time: string, zone: TimeZone): Instant => {
  const minutes = Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
  return instantAt(clockOf(zone).resolve(toEpochDay(date) * msPerDay + minutes * 60_000))
}

/**
 * `times` durations after an instant. Years, months, weeks and days are counted on the local
 * calendar and keep the wall clock; a month that lacks the day has its last day, counted from the
 * instant itself, so that a series never drifts. A wall clock that a clock change skips moves forward
 * by the length of the change; one that comes twice is the first. Hours, minutes and seconds are exact.
 *
 * @throws DateOutOfRange beyond the year 9999
 */
export const plus = (
  instant: Instant,
  duration: Duration,
  times: number,
  zone: TimeZone
): Instant => {
  const amount = duration.amount * times
  const millis = toEpochMillis(instant)
  if (isSubDay(duration)) return instantAt(millis + amount * msPerUnit[duration.unit])
  const clock = clockOf(zone)
  const local = millis + clock.offsetAt(millis)
  const epochDay = Math.floor(local / msPerDay)
  const date = moved(fromEpochDay(epochDay), duration, amount)
  return instantAt(clock.resolve(toEpochDay(date) * msPerDay + (local - epochDay * msPerDay)))
}

const msPerUnit: Record<Duration["unit"], number> = {
  YEAR: Number.NaN,
  MONTH: Number.NaN,
  WEEK: 7 * msPerDay,
  DAY: msPerDay,
  HOUR: 3_600_000,
  MINUTE: 60_000,
  SECOND: 1000
}

const moved = (date: LocalDate, { unit }: Duration, amount: number): LocalDate => {
  if (unit === "YEAR") return addMonths(date, amount * 12)
  if (unit === "MONTH") return addMonths(date, amount)
  return addDays(date, unit === "WEEK" ? amount * 7 : amount)
}

const firstMillis = Date.parse("0001-01-01T00:00:00.000Z")
const lastMillis = Date.parse("9999-12-31T23:59:59.999Z")

const instantAt = (millis: number): Instant => {
  if (millis < firstMillis || millis > lastMillis) throw new DateOutOfRange({})
  return fromEpochMillis(millis)
}

/** Area and place, `Etc/GMT+5` or a short name such as UTC, but no offset such as +01:00. */
const name = /^[A-Z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/u

const isKnown = (zone: string): boolean => {
  if (!name.test(zone)) return false
  try {
    return Intl.DateTimeFormat("en-US", { timeZone: zone }).resolvedOptions().timeZone !== ""
  } catch {
    return false
  }
}

/** The clock of one zone: the offset of its local time from UTC, in milliseconds. */
interface Clock {
  readonly offsetAt: (millis: number) => number
  /** The instant of a wall clock, written as if it were UTC. */
  readonly resolve: (local: number) => number
  readonly startOfDay: (epochDay: number) => Instant
}

const clocks = new Map<string, Clock>()

const clockOf = (zone: TimeZone): Clock => {
  const known = clocks.get(zone)
  if (known !== undefined) return known
  const clock = makeClock(zone)
  clocks.set(zone, clock)
  return clock
}

const makeClock = (zone: TimeZone): Clock => {
  const lookUp = offsetLookup(zone)
  const offsetAtMidnightUtc = remember((day) => lookUp(day * msPerDay))

  const offsetAt = (millis: number): number => {
    const day = Math.floor(millis / msPerDay)
    const offset = offsetAtMidnightUtc(day)
    // No zone changes its offset twice between two midnights of UTC and ends where it began.
    return offset === offsetAtMidnightUtc(day + 1) ? offset : lookUp(millis)
  }

  /** The offsets of the day before and after a wall clock: it is read under one of them, or skipped. */
  const offsetsAround = (local: number): readonly [number, number] => [
    offsetAt(local - msPerDay),
    offsetAt(local + msPerDay)
  ]

  const resolve = (local: number): number => {
    const [before, after] = offsetsAround(local)
    if (before === after) return local - before
    const earlier = local - Math.max(before, after)
    if (earlier + offsetAt(earlier) === local) return earlier
    // Read under the other offset alone; or skipped, and then `before`, the smaller one, moves it on.
    return local - Math.min(before, after)
  }

  const firstMillisOfDay = (epochDay: number): number => {
    const midnight = epochDay * msPerDay
    const [before, after] = offsetsAround(midnight)
    const found = resolve(midnight)
    if (before === after || found + offsetAt(found) === midnight) return found
    return firstInstantWithin(
      midnight - Math.max(before, after),
      midnight - Math.min(before, after),
      (millis) => millis + offsetAt(millis) >= midnight
    )
  }

  return {
    offsetAt,
    resolve,
    startOfDay: remember((epochDay) => instantAt(firstMillisOfDay(epochDay)))
  }
}

/** The first millisecond in `(low, high]` at which a condition holds that, once true, stays true. */
const firstInstantWithin = (
  low: number,
  high: number,
  holds: (millis: number) => boolean
): number => {
  let [without, within] = [low, high]
  while (within - without > 1) {
    const middle = Math.floor((without + within) / 2)
    if (holds(middle)) within = middle
    else without = middle
  }
  return within
}

const offsetLookup = (zone: TimeZone): ((millis: number) => number) => {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    calendar: "gregory",
    hourCycle: "h23",
    era: "short",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric"
  })
  return (millis) => {
    const second = Math.floor(millis / 1000) * 1000
    return localMillis(format.formatToParts(second)) - second
  }
}

/** The wall clock that `Intl` shows, as milliseconds since 1970 as if it were UTC. */
const localMillis = (parts: ReadonlyArray<Intl.DateTimeFormatPart>): number => {
  const shown: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {}
  for (const { type, value } of parts) shown[type] = value
  const year = shown.era === "BC" ? 1 - Number(shown.year) : Number(shown.year)
  const epochDay = civilToEpochDay(year, Number(shown.month), Number(shown.day))
  const seconds = (Number(shown.hour) * 60 + Number(shown.minute)) * 60 + Number(shown.second)
  return epochDay * msPerDay + seconds * 1000
}
