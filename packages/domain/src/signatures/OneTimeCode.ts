/** The codes that prove that a signer has an address: how long they hold, and how often they are tried and sent. */
import { Result } from "effect"
import { type Instant, toEpochMillis } from "../values/Instant.ts"
import { OtpInvalid, OtpLocked } from "./SignatureErrors.ts"

const minute = 60_000
/** How long a code holds, in milliseconds. */
const validity = 10 * minute
/** How many codes are tried before another one has to be sent. */
export const mostTries = 5
/** How many codes are sent within a time, in milliseconds. */
export const mostSends = 3
const sendWindow = 15 * minute
/**
 * How many codes a signer is sent for one signature. All tries at them find the right one with a chance of
 * 1 in 10,000, however long the signature is open.
 */
export const mostCodes = 20

/** The sends that still count. */
export const recentSends = (sent: ReadonlyArray<Instant>, now: Instant): ReadonlyArray<Instant> =>
  sent.filter((at) => toEpochMillis(at) > toEpochMillis(now) - sendWindow)

/** The codes of a signer so far. */
export interface CodesSent {
  /** How many there were. */
  readonly number: number
  /** When the last of them were sent. */
  readonly sent: ReadonlyArray<Instant>
  /** The end of the signature: after the last code no other is sent before it. */
  readonly expiresAt: Instant
}

/** When another code may be sent, in milliseconds since 1970; `undefined` where that is now. */
export const sendableAt = (
  { expiresAt, number, sent }: CodesSent,
  now: Instant
): number | undefined => {
  if (number >= mostCodes) return toEpochMillis(expiresAt)
  const within = recentSends(sent, now)
    .map(toEpochMillis)
    .sort((a, b) => b - a)
  const oldest = within[mostSends - 1]
  return oldest === undefined ? undefined : oldest + sendWindow
}

/** The last code that was sent to a signer. */
export interface SentCode {
  readonly sentAt: Instant
  /** How many codes were tried since, each of them wrong. */
  readonly tries: number
}

/**
 * Whether a code proves the address, given whether it is the one that was sent. A code that is too old, or
 * was tried too often, proves nothing, even the right one.
 */
export const tryCode = (
  sent: SentCode | undefined,
  isRight: boolean,
  now: Instant
): Result.Result<void, OtpInvalid | OtpLocked> => {
  if (sent === undefined || sent.tries >= mostTries) return Result.fail(new OtpLocked({}))
  if (toEpochMillis(now) >= toEpochMillis(sent.sentAt) + validity)
    return Result.fail(new OtpLocked({}))
  return isRight
    ? Result.succeed(undefined)
    : Result.fail(new OtpInvalid({ triesLeft: mostTries - sent.tries - 1 }))
}
