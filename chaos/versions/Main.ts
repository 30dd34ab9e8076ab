/** `pnpm chaos versions`: random lives of policies against the model, for so many minutes or lives. */
import * as Cluster from "@quittance/embedded-postgres/Cluster"
import { runtimeRole } from "@quittance/persistence/sql/Roles"
import * as Sql from "@quittance/persistence/sql/Sql"
import { Effect, Layer } from "effect"
import * as Shaken from "../Shaken.ts"
import { type Lived, lifeOf, live, shrink } from "./Run.ts"
import * as Scene from "./Scene.ts"

export interface Settings {
  readonly seed: number
  /** How many lives at most; 0: as many as time allows. */
  readonly lives: number
  readonly minutes: number
}

/** Lives until time is over or two differ; answers whether none did. */
export const run = Effect.fn("Versions.run")(function* (settings: Settings) {
  const shaken = yield* Shaken.start
  const url = Cluster.url(shaken.server(), runtimeRole)
  const services = yield* Layer.build(
    Scene.layer.pipe(Layer.provideMerge(Sql.succeed(yield* Sql.pool(url, runtimeRole))))
  )
  return yield* Effect.provideContext(campaign(settings), services)
})

const campaign = Effect.fnUntraced(function* ({ lives, minutes, seed: first }: Settings) {
  const end = performance.now() + minutes * 60_000
  const started = performance.now()
  const sum = { lives: 0, commands: 0, accepted: 0, reads: 0 }
  const last = lives === 0 ? Infinity : first + lives
  for (let seed = first; seed < last && performance.now() < end; seed++) {
    const lived: Lived = yield* live(lifeOf(seed), seed)
    sum.lives++
    sum.commands += lived.commands
    sum.accepted += lived.accepted
    sum.reads += lived.reads
    if (lived.difference === undefined) continue
    const shortest = yield* shrink(lifeOf(seed), seed)
    const { difference } = yield* live(shortest, seed)
    const found = { seed, ...shortest, difference: difference ?? lived.difference }
    process.stdout.write(`The product and the model differ:\n${JSON.stringify(found, null, 1)}\n`)
    return false
  }
  const seconds = Math.round((performance.now() - started) / 1000)
  const { accepted, commands, lives: lived, reads } = sum
  process.stdout.write(
    `${lived} lives, ${commands} commands, ${accepted} of them accepted, ${reads} reads in ${seconds} s; none differs.\n`
  )
  return true
})
