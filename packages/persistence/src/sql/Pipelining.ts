/**
 * Statements of a transaction that leave together: the first of each effect is sent after that of the
 * one before, without waiting for its answer, and PostgreSQL does them in that order. An effect may
 * depend on what the first statements of those before it have written, and on nothing else of them.
 */
import { Cause, Effect, Fiber } from "effect"

/** All of them; it fails as the first in their order that fails, which is why the later ones did. */
export const pipelineAll = <E, R>(
  work: ReadonlyArray<Effect.Effect<unknown, E, R>>
): Effect.Effect<void, E, R> =>
  Effect.flatMap(Effect.forEach(work, started), Effect.forEach(Fiber.join, { discard: true }))

/** What both of them answer. */
export const pipelineBoth = <A, E, R, B, E2, R2>(
  first: Effect.Effect<A, E, R>,
  second: Effect.Effect<B, E2, R2>
): Effect.Effect<readonly [A, B], E | E2, R | R2> =>
  Effect.gen(function* () {
    const one = yield* started(first)
    const other = yield* started(second)
    return [yield* Fiber.join(one), yield* Fiber.join(other)] as const
  })

/**
 * Sends something and goes on. Should it fail, the log says why; the transaction is aborted, whatever
 * comes after it fails, and nothing is committed.
 */
export const sendWithoutWaiting = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<void, never, R> =>
  Effect.asVoid(
    started(
      Effect.tapCause(effect, (cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.void
          : Effect.logError("A statement that was sent has failed", cause)
      )
    )
  )

const started = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.forkChild(effect, { startImmediately: true })
