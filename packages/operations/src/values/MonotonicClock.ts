import { Clock, Effect } from "effect"

/** Milliseconds on this instance's monotonic clock, which is never set back as the time of day may be. */
export const monotonicMillis: Effect.Effect<number> = Clock.clockWith((clock) =>
  Effect.succeed(Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n))
)
