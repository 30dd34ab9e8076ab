import { Context } from "effect"
import { Busy } from "./RequestErrors.ts"

/**
 * What to answer where a failure says that there is too much to do at the moment: a queue is full, or a wait
 * in the database timed out. `undefined` for every other failure. The layer of the database adds its
 * failures; without one only full queues count.
 */
export const Overload = Context.Reference<(failure: unknown) => Busy | undefined>(
  "@quittance/domain/Overload",
  { defaultValue: () => (failure) => (failure instanceof Busy ? failure : undefined) }
)
