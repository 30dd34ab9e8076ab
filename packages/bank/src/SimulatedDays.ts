/** The messages in which the simulated bank tells of a day: camt.053 and camt.054. */
import type { Instant } from "@quittance/domain/values/Instant"
import { addDays, type LocalDate } from "@quittance/domain/values/LocalDate"
import { type TimeZone, timeOfDay } from "@quittance/domain/values/TimeZone"
import type { BankEntry } from "./BankEntry.ts"
import { dayBalances, writeStatement } from "./CamtWriter.ts"
import { signedAmount } from "./Entries.ts"
import { firstOpen } from "./Target.ts"

/** Times of day on the bank's clock: reports and returns are told in the morning, statements at night. */
export const reportTime = "08:00:00"
export const statementTime = "20:00:00"

/** The first open day from `on` whose statement is not told yet, and when it is told. */
export const statementOf = (
  on: LocalDate,
  now: Instant,
  timeZone: TimeZone
): { readonly bookedOn: LocalDate; readonly toldAt: Instant } => {
  const bookedOn = firstOpen(on)
  const toldAt = timeOfDay(bookedOn, statementTime, timeZone)
  return now < toldAt ? { bookedOn, toldAt } : statementOf(addDays(bookedOn, 1), now, timeZone)
}

/** What a day's message of the bank is of. */
export interface BankDay {
  readonly iban: string
  readonly on: LocalDate
  /** Counted for each account from 1: the number of the message. */
  readonly sequence: number
  readonly entries: ReadonlyArray<BankEntry>
}

/** Each entry with a reference of the bank, by which two equal ones of a day differ. */
const referenced = ({ entries, on, sequence }: BankDay): ReadonlyArray<BankEntry> =>
  entries.map((entry, index) => ({
    ...entry,
    bankReference: `SB${on.replaceAll("-", "")}${sequence}N${index + 1}`
  }))

/** The statement of a day, told at {@link statementTime}. */
export const dayStatement = (day: BankDay, opening: number): string => {
  const closing = day.entries.reduce((sum, entry) => sum + (signedAmount(entry) ?? 0), opening)
  return [
    ...writeStatement({
      message: "camt.053",
      version: "08",
      id: `S${day.on}-${day.sequence}`,
      sequence: day.sequence,
      createdAt: `${day.on}T${statementTime}`,
      iban: day.iban,
      currency: "EUR",
      balances: dayBalances(day.on, "EUR", opening, closing),
      entries: referenced(day)
    })
  ].join("")
}

/** What came back on a day, told at {@link reportTime}. */
export const dayNotification = (day: BankDay): string =>
  [
    ...writeStatement({
      message: "camt.054",
      version: "08",
      id: `N${day.on}-${day.sequence}`,
      createdAt: `${day.on}T${reportTime}`,
      iban: day.iban,
      currency: "EUR",
      balances: [],
      entries: referenced(day)
    })
  ].join("")
