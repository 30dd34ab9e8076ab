/** When signers are asked once more: so many days after they were told that it is their turn. */
import { fromEpochMillis, type Instant } from "../values/Instant.ts"
import { plus, type TimeZone } from "../values/TimeZone.ts"
import type { Signer } from "./Signer.ts"

/** Both in order. */
export interface SignerReminders {
  /** Those that are still to come. */
  readonly remindAt: ReadonlyArray<Instant>
  readonly remindedAt: ReadonlyArray<Instant>
}

/** The reminders of a signer who is told now; those after the end of the signature never come. */
export const remindersOf = (
  { days, expiresAt }: { readonly days: ReadonlyArray<number>; readonly expiresAt: Instant },
  now: Instant,
  timeZone: TimeZone
): ReadonlyArray<Instant> =>
  [...new Set(days)]
    .map((amount) => plus(now, { amount, unit: "DAY" }, 1, timeZone))
    .filter((at) => at < expiresAt)
    .sort()

/** Reminders by now: those that were missed together are one. `undefined` where none is due. */
export const reminded = (
  { remindAt, remindedAt }: SignerReminders,
  now: Instant
): SignerReminders | undefined =>
  remindAt.some((at) => at <= now)
    ? { remindAt: remindAt.filter((at) => at > now), remindedAt: [...remindedAt, now] }
    : undefined

/** Letters of one signer that people ask for are so far apart, in milliseconds. */
const hour = 3_600_000

/** When a signer may be reminded by hand, if that is later than now: an hour after their last letter. */
export const nextReminder = (
  { notifiedAt, remindedAt = [] }: Pick<Signer, "notifiedAt" | "remindedAt">,
  now: Instant
): Instant | undefined => {
  const last = [notifiedAt ?? [], remindedAt].flat().sort().at(-1)
  if (last === undefined) return undefined
  const next = fromEpochMillis(Date.parse(last) + hour)
  return next > now ? next : undefined
}
