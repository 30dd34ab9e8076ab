/** A clock that tests move ahead, for what must not wait in real time. */
import { Clock, Effect } from "effect"

let offset = 0

/** The machine's clock, by so much ahead as the test has moved it. */
const clock: Clock.Clock = {
  currentTimeMillisUnsafe: () => live.currentTimeMillisUnsafe() + offset,
  currentTimeMillis: Effect.sync(() => live.currentTimeMillisUnsafe() + offset),
  monotonicTimeNanosUnsafe: () => live.monotonicTimeNanosUnsafe(),
  monotonicTimeNanos: Effect.sync(() => live.monotonicTimeNanosUnsafe()),
  currentTimeNanosUnsafe: () => live.currentTimeNanosUnsafe(),
  currentTimeNanos: Effect.sync(() => live.currentTimeNanosUnsafe()),
  sleep: (duration) => live.sleep(duration)
}
const live = Effect.runSync(Clock.Clock)

/** Lets so many milliseconds pass. */
export const pass = (millis: number) =>
  Effect.sync(() => {
    offset += millis
  })

/** Runs an effect on that clock. */
export const timed = Effect.provideService(Clock.Clock, clock)
