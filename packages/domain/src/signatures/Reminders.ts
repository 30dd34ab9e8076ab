/** When signers are asked once more: so many days after they were told that it is their turn. */
import type { Instant } from "../values/Instant.ts"
import { plus, type TimeZone } from "../values/TimeZone.ts"

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
