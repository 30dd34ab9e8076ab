/** A caller that retries until there is an answer: each time with the same idempotency key. */
import { Cause, Effect, Exit } from "effect"

/** How often a request is retried before the harness is at fault. */
const patience = 200

/** Asks until there is an answer; what is refused is an answer, too. */
export const answered = <A, E, R>(asked: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    for (let time = 1; ; time++) {
      const exit = yield* Effect.exit(asked)
      const hasNoAnswer =
        Exit.isFailure(exit) && (Cause.hasDies(exit.cause) || isUnderWay(exit.cause))
      if (!hasNoAnswer || time === patience) return yield* exit
      yield* Effect.sleep("100 millis")
    }
  })

/** The first request may still be running when the second comes. */
const isUnderWay = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some(
    (reason) =>
      Cause.isFailReason(reason) &&
      (reason.error as { readonly _tag?: string })._tag === "IdempotencyKeyInUse"
  )
