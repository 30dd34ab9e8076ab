import { Context } from "effect"
import { Busy } from "./RequestErrors.ts"

/**
 * What to answer where a failure says that there is too much to do at the moment: a line is full, or the
 * database gave up waiting. `undefined` for every other failure. Whoever provides the database adds its
 * failures; without one only full lines count.
 */
export const Overload = Context.Reference<(failure: unknown) => Busy | undefined>(
  "@quittance/domain/Overload",
  { defaultValue: () => (failure) => (failure instanceof Busy ? failure : undefined) }
)
