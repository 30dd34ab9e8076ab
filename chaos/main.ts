/**
 * `pnpm chaos billing` kills workers, their connections and their database at random instants, and then
 * holds every bill, posting and state to an independent model. It ends with 1 at any difference.
 *
 * `--kills`, `--workers`, `--policies`, `--seed` say how much and which; `--long` kills a thousand times.
 * Which draws are made depends on the seed alone, when they hit on the machine, too.
 */
import { Effect, References } from "effect"
import { Reactivity } from "effect/reactivity"
import { parseArgs } from "node:util"
import * as Campaign from "./Campaign.ts"
import * as Report from "./Report.ts"

const usage = "pnpm chaos billing [--long] [--kills N] [--workers N] [--policies N] [--seed S]"

const parsed = () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      long: { type: "boolean", default: false },
      kills: { type: "string" },
      workers: { type: "string" },
      policies: { type: "string" },
      seed: { type: "string" }
    }
  })
  const [kills, policies] = values.long ? [1000, 200] : [30, 40]
  const settings: Campaign.Settings = {
    kills: Number(values.kills ?? kills),
    workers: Number(values.workers ?? 3),
    policies: Number(values.policies ?? policies),
    seed: Number(values.seed ?? 1)
  }
  const isUsable = Object.values(settings).every(Number.isSafeInteger) && settings.workers > 0
  return positionals.length === 1 && positionals[0] === "billing" && isUsable ? settings : undefined
}

const settings = parsed()
if (settings === undefined) {
  process.stderr.write(`${usage}\n`)
  process.exitCode = 2
} else {
  const isSound = await Campaign.run(settings).pipe(
    Effect.flatMap((ended) => Report.print(settings, ended)),
    // What workers and people are told while the database is away is not news.
    Effect.provideService(References.MinimumLogLevel, "None"),
    Effect.provide(Reactivity.layer),
    Effect.scoped,
    Effect.runPromise
  )
  process.exitCode = isSound ? 0 : 1
}
