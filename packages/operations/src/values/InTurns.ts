/** Long pure work that others wait for no longer than for one of its slices. */
import * as LoopTurn from "@quittance/domain/values/LoopTurn"
import type { Sliced } from "@quittance/pricing/Slices"
import { Effect } from "effect"

/** The result of the work; after each slice waiting fibers have a turn. */
export const inTurns = <A>(work: () => Sliced<A>): Effect.Effect<A> =>
  Effect.suspend(() => {
    const slices = work()
    const next = (): Effect.Effect<A> => {
      const step = slices.next()
      return step.done === true
        ? Effect.succeed(step.value)
        : Effect.andThen(LoopTurn.next, Effect.suspend(next))
    }
    return next()
  })
