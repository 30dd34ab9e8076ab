/** The time and the caller of an action on a policy. */
import { fromEpochMillis, type Instant, toEpochMillis } from "@quittance/domain/values/Instant"
import type { Effect } from "effect"
import { answered } from "./Answered.ts"
import type { Draw } from "./Draw.ts"
import type { Sold } from "./Sale.ts"
import * as World from "./World.ts"

export interface Occasion {
  readonly sold: Sold
  readonly draw: Draw
  readonly now: Instant
  /** Names the deed; each of its requests has a key that begins with it. */
  readonly name: string
}

export const day = 86_400_000

export const later = (instant: Instant, millis: number): Instant =>
  fromEpochMillis(toEpochMillis(instant) + millis)

/** Asks for one step of a deed until there is an answer. */
export const run =
  ({ name, sold: { world } }: Occasion, step: string) =>
  <A, E, R>(useCase: Effect.Effect<A, E, R>) =>
    answered(World.as(world, `${name}-${step}`)(useCase))
