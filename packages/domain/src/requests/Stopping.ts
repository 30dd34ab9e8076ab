import { Context, Effect } from "effect"

/**
 * Ends when the program that serves the request is about to stop, so that what only waits is answered at once
 * and not cut off. It never ends where nothing serves.
 */
export const Stopping = Context.Reference<Effect.Effect<void>>("@quittance/domain/Stopping", {
  defaultValue: () => Effect.never
})
