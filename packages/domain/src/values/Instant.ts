/**
 * A point in time: ISO 8601 in UTC with milliseconds, `2026-01-31T23:00:00.000Z`.
 *
 * The canonical text is the value itself, on the wire, in stored JSON and in the code: two instants
 * compare with `<` and `===`, and nothing is decoded only to be encoded again.
 */
import { DateTime, Schema, SchemaGetter } from "effect"
import { fromEpochDay, twoDigits } from "./LocalDate.ts"

const canonical = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/u

export const Instant = Schema.String.check(
  Schema.isPattern(canonical, { message: "Expected an instant in UTC with milliseconds" })
)
  .pipe(Schema.brand("Instant"))
  .annotate({ identifier: "Instant", format: "date-time" })
export type Instant = typeof Instant.Type

const iso =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)$/u

/**
 * Reads any valid ISO 8601 date-time with an offset; `undefined` when it is none, also for days and
 * hours that do not exist (31 February, 24:30), and outside the years 1900 to 2999: what is counted
 * on from such an instant then never leaves the calendar.
 */
export const parse = (text: string): Instant | undefined => {
  const parts = iso.exec(text)
  if (parts === null) return undefined
  const [year, month, day, hour, minute, second] = parts
    .slice(1, 7)
    .map((part) => Number(part ?? 0))
  if (!isDay(year!, month!, day!) || hour! > 23 || minute! > 59 || second! > 59) return undefined
  const time = Date.parse(text)
  if (Number.isNaN(time) || time < firstMillis || time > lastMillis) return undefined
  return fromEpochMillis(time)
}

/** An instant from a request: any valid ISO 8601 date-time with an offset, made canonical. */
export const InstantFromString = Schema.String.check(
  Schema.makeFilter((text) => parse(text) !== undefined, {
    message:
      "Expected an ISO 8601 date-time that exists, of the years 1900 to 2999, such as 2026-03-01T00:00:00Z"
  })
)
  .annotate({ identifier: "DateTime", format: "date-time" })
  .pipe(
    Schema.decodeTo(Instant, {
      // The check above has already refused what does not parse.
      decode: SchemaGetter.transform((text) => parse(text)!),
      encode: SchemaGetter.transform((instant) => instant)
    })
  )

/** Milliseconds since 1970-01-01T00:00:00Z. */
export const toEpochMillis = (instant: Instant): number => Date.parse(instant)

/** @throws DateOutOfRange outside the years 0001 to 9999 */
export const fromEpochMillis = (millis: number): Instant => {
  const epochDay = Math.floor(millis / msPerDay)
  const ofDay = Math.floor(millis) - epochDay * msPerDay
  const seconds = Math.floor(ofDay / 1000)
  const minutes = Math.floor(seconds / 60)
  const time = `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}.${String(ofDay % 1000).padStart(3, "0")}`
  // The canonical form, of a day that exists.
  return `${fromEpochDay(epochDay)}T${time}Z` as Instant
}

const msPerDay = 86_400_000

export const fromDateTime = (dateTime: DateTime.DateTime): Instant =>
  // The formatter writes exactly the canonical form.
  DateTime.formatIso(DateTime.toUtc(dateTime)) as Instant

export const min = (a: Instant, b: Instant): Instant => (a <= b ? a : b)
export const max = (a: Instant, b: Instant): Instant => (a >= b ? a : b)

/** The first of some instants; `undefined` where there is none. */
export const earliest = (instants: ReadonlyArray<Instant | undefined>): Instant | undefined =>
  instants.reduce((a, b) => (a === undefined || (b !== undefined && b < a) ? b : a), undefined)

const firstMillis = Date.parse("1900-01-01T00:00:00.000Z")
const lastMillis = Date.parse("2999-12-31T23:59:59.999Z")

const isDay = (year: number, month: number, day: number): boolean => {
  if (month < 1 || month > 12 || day < 1) return false
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  const lengths = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  return day <= lengths[month - 1]!
}
