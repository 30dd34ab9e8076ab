/**
 * Turns of the event loop for long work of requests: one slice of one request in each, and whatever else
 * has arrived in between. `Effect.yieldNow` is not enough: all fibers that have yielded run in one turn.
 */
import { Effect } from "effect"

/** Who waits, in the order in which they came. */
const waiting = new Set<() => void>()

const turn = () => {
  const [next] = waiting
  if (next === undefined) return
  waiting.delete(next)
  if (waiting.size > 0) setImmediate(turn)
  next()
}

/** Continues in a later turn of the event loop, in which no other fiber that asked for one continues. */
export const next: Effect.Effect<void> = Effect.callback<void>((resume) => {
  const begin = () => resume(Effect.void)
  waiting.add(begin)
  if (waiting.size === 1) setImmediate(turn)
  return Effect.sync(() => {
    waiting.delete(begin)
  })
})
