import { type RateLimit, RateLimited } from "@quittance/domain/requests/RateLimit"
import { RateLimitStore } from "@quittance/persistence/requests/RateLimitStore"
import { Context, Effect, Layer } from "effect"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/**
 * Limits that all instances share, exact to the unit: each call asks the store. What is asked for with
 * every request is leased instead (`QuotaLeases`). A bucket names what is counted and for whom, within
 * the tenant.
 */
export class RateLimits extends Context.Service<
  RateLimits,
  {
    /** Counts one, or fails when there is none left. */
    take(bucket: string, limit: RateLimit): Effect.Effect<void, RateLimited, CurrentTenant>
    /** Gives back one that was taken in advance. */
    giveBack(bucket: string): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/operations/RateLimits") {
  static readonly layer = Layer.effect(
    RateLimits,
    Effect.gen(function* () {
      const store = yield* RateLimitStore
      return RateLimits.of({
        take: (bucket, limit) =>
          Effect.flatMap(store.take(bucket, limit, 1), ({ endsIn, granted, remaining }) =>
            granted > 0 ? Effect.void : Effect.fail(refusal(limit, remaining, endsIn))
          ),
        giveBack: store.giveBack
      })
    })
  )
}

/** The refusal of a limit whose window ends in so many milliseconds. */
export const refusal = ({ limit }: RateLimit, remaining: number, endsIn: number): RateLimited => {
  const reset = Math.max(Math.ceil(endsIn / 1000), 1)
  return new RateLimited({ retryAfter: reset, limit, remaining, reset })
}
