/** Properties of whatever a seed draws. */
import { it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Draw } from "@quittance/testing/Draw"

const seed = { seed: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 31 - 1 })) }

/** The same draws in every run; `PROPERTY_SEED=2` draws others. */
const first = Number(process.env["PROPERTY_SEED"] ?? 1)

export const property = (name: string, check: (draw: Draw) => void, runs = 300) =>
  it.effect.prop(name, seed, ({ seed }) => Effect.sync(() => check(new Draw(seed))), {
    arbitrary: { runs, seed: first }
  })
