import { Schema } from "effect"

/** So many in so long; the window starts with the first one counted. */
export interface RateLimit {
  readonly limit: number
  readonly windowSeconds: number
}

/** A caller used up what a limit allows. */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  /** Seconds until the window ends: the header `retry-after`. */
  retryAfter: Schema.Int,
  /** How many the window allows: the header `ratelimit-limit`. */
  limit: Schema.Int,
  /** How many are left: the header `ratelimit-remaining`. */
  remaining: Schema.Int,
  /** Seconds until the window ends: the header `ratelimit-reset`. */
  reset: Schema.Int
}) {
  override get message() {
    return `Wait ${this.retryAfter} seconds: this address or client has used its ${this.limit} requests.`
  }
}
