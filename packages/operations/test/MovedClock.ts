/** A clock that a test moves ahead, for what must not wait in real time. */
import { Clock, Context, Effect } from "effect"

/** By how many milliseconds the clock of one test is ahead of the machine's. */
class Ahead extends Context.Service<Ahead, { millis: number }>()("@quittance/operations/Ahead") {}

const live = Effect.runSync(Clock.Clock)

const clockOf = (ahead: Ahead["Service"]): Clock.Clock => ({
  currentTimeMillisUnsafe: () => live.currentTimeMillisUnsafe() + ahead.millis,
  currentTimeMillis: Effect.sync(() => live.currentTimeMillisUnsafe() + ahead.millis),
  monotonicTimeNanosUnsafe: () => live.monotonicTimeNanosUnsafe(),
  monotonicTimeNanos: Effect.sync(() => live.monotonicTimeNanosUnsafe()),
  currentTimeNanosUnsafe: () => live.currentTimeNanosUnsafe(),
  currentTimeNanos: Effect.sync(() => live.currentTimeNanosUnsafe()),
  sleep: (duration) => live.sleep(duration)
})

/** Lets so many milliseconds pass. */
export const pass = (millis: number) =>
  Ahead.useSync((ahead) => {
    ahead.millis += millis
  })

/**
 * Runs an effect on a clock of its own, which begins with the machine's time: what another test has let pass
 * is of no account, also where both share a process.
 */
export const timed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const ahead = { millis: 0 }
    return effect.pipe(
      Effect.provideService(Clock.Clock, clockOf(ahead)),
      Effect.provideService(Ahead, ahead)
    )
  })
