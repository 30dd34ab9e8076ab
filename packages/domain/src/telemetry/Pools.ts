/** What bears only so much at a time, in metrics. */
import { Effect, type Scope } from "effect"
import { observe } from "./Series.ts"

interface Counted {
  counts(): { readonly running: number; readonly waiting: number }
}

/** A name for each of the pools of a program; what tells their series apart. */
export type PoolName = "callers" | "database" | "passwords" | "records" | "tenants"

/** Shows a pool in the metrics, for as long as the scope is open; `size` where it has one of its own. */
export const observePool = (
  pool: PoolName,
  turns: Counted,
  size?: number
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.all(
    [
      observe("poolActive", { pool }, () => turns.counts().running),
      observe("poolWaiting", { pool }, () => turns.counts().waiting),
      size === undefined ? Effect.void : observe("poolSize", { pool }, () => size)
    ],
    { discard: true }
  )
