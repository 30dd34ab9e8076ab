/** Days of these lives as instants, and a policy's anniversaries by the calendar of the place where it is sold. */
import { fromEpochMillis, type Instant } from "@quittance/domain/values/Instant"
import type { Day } from "./Commands.ts"

const day = 86_400_000
const first = Date.parse("2026-03-02T11:00:00Z")

const millisOf = (days: Day): number => first + days * day

export const instantOf = (days: Day): Instant => fromEpochMillis(millisOf(days))

/** The day of an instant; `undefined` where there is none. */
export const dayOf = (instant: Instant | undefined): Day | undefined =>
  instant === undefined ? undefined : (Date.parse(instant) - first) / day

const timeZone = "Europe/Berlin"

const format = new Intl.DateTimeFormat("en-GB", {
  timeZone,
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
  minute: "numeric",
  second: "numeric",
  hourCycle: "h23"
})

/** What clock and calendar show there, as if it were UTC. */
const shownThere = (at: number): Date => {
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type)!
  return new Date(
    Date.UTC(of("year"), of("month") - 1, of("day"), of("hour"), of("minute"), of("second"))
  )
}

/** The first time after one at which the calendar shows the day of the start again, at its time of day. */
export const renewalAfter = (starts: Day, time: Day): string => {
  for (let years = 1; ; years++) {
    const there = shownThere(millisOf(starts))
    there.setUTCFullYear(there.getUTCFullYear() + years)
    const wanted = there.getTime()
    const offset = shownThere(wanted).getTime() - wanted
    const at = wanted - offset
    if (at > millisOf(time)) return new Date(at).toISOString()
  }
}
