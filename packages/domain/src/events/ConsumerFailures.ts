/** How long a consumer of events leaves a tenant alone whose events it could not take. */

/** Seconds. */
const longestPause = 300

export interface ConsumerFailures {
  /** How often in a row. */
  readonly count: number
  /** The tenant is left alone until then: milliseconds since 1970. */
  readonly until: number
}

/** After one more failure, at an instant: a second, then twice as long each time, five minutes at most. */
export const failedAgain = (now: number, before?: ConsumerFailures): ConsumerFailures => {
  const count = (before?.count ?? 0) + 1
  return { count, until: now + Math.min(2 ** (count - 1), longestPause) * 1000 }
}
