/** What every job of the worker and of the dispatcher is run by: rounds, pauses, and no failure that ends it. */
import * as Settings from "@quittance/domain/values/Settings"
import { counted } from "./JobMetrics.ts"
import { Config, Duration, Effect, Latch } from "effect"

/** Work that comes up again and again, for all tenants. */
export interface Job<E = never, R = never> {
  /** What the log calls it. */
  readonly name: string
  /** How long to wait when nothing is left to do, and after a failure. */
  readonly pause: Duration.Duration
  /** Does some of it; whether more may wait. It is short, and brings what it has begun to its end. */
  readonly round: Effect.Effect<boolean, E, R>
}

export interface Loop<R = never> {
  /** Rounds until interrupted. A round that fails is logged, and the next one comes after the pause. */
  readonly run: Effect.Effect<never, never, R>
  /** Ends the pause, or has the round that is under way followed by another one at once. */
  readonly wake: Effect.Effect<void>
}

/** The pause of a job, as a variable of the environment sets it. */
export const pause = (variable: string, unlessSet: Duration.Input) =>
  Settings.duration(variable).pipe(Config.withDefault(Duration.fromInputUnsafe(unlessSet)))

export const make = Effect.fn("Loop.make")(function* <E, R>({ name, pause, round }: Job<E, R>) {
  const woken = yield* Latch.make(false)
  const run = woken.close.pipe(
    // Each round is a trace of its own, however long the loop has run.
    Effect.andThen(Effect.withSpan(counted(name)(round), "Loop.round", { root: true })),
    Effect.catchCause((cause) =>
      Effect.as(Effect.logError(`The job ${name} has failed and is tried again`, cause), false)
    ),
    Effect.flatMap((more) =>
      more ? Effect.void : Effect.asVoid(Effect.timeoutOption(woken.await, pause))
    ),
    Effect.forever,
    Effect.annotateLogs({ job: name }),
    Effect.annotateSpans("quittance.job", name)
  )
  const loop: Loop<R> = { run, wake: Effect.asVoid(woken.open) }
  return loop
})

/** Runs loops side by side until interrupted, which waits for the rounds that are under way. */
export const runAll = <R>(loops: ReadonlyArray<Loop<R>>): Effect.Effect<void, never, R> =>
  Effect.forEach(loops, ({ run }) => run, { concurrency: "unbounded", discard: true })
