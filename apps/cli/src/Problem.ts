/** A command's message to its user: one sentence that says what to do next. */
import { CliError } from "effect/cli"
import { Effect } from "effect"

export const problem = (message: string, cause: unknown = message) =>
  new CliError.UserError({ cause, userMessage: message })

/** Shows an expected failure as its sentence, without the trace that a defect has. */
export const asProblems = <A, E extends Error, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, CliError.UserError, R> =>
  Effect.mapError(effect, (error) =>
    error instanceof CliError.UserError ? error : problem(error.message, error)
  )
