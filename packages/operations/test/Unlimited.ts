import { RateLimitStore } from "@quittance/persistence/requests/RateLimitStore"
import { Effect, Layer } from "effect"

/** No limits here: they have tests of their own. */
export const unlimited = Layer.succeed(RateLimitStore, {
  take: (_bucket, { limit, windowSeconds }) =>
    Effect.succeed({ granted: 1, remaining: limit, endsIn: windowSeconds * 1000 }),
  lease: (_bucket, { limit, windowSeconds }, wanted) =>
    Effect.succeed({ granted: wanted, remaining: limit, endsIn: windowSeconds * 1000 }),
  giveBack: () => Effect.void
})
