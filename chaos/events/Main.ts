/** `pnpm chaos events`: the feed and its consumers, while workers and their database are killed. */
import { fromEpochMillis } from "@quittance/domain/values/Instant"
import * as Cluster from "@quittance/embedded-postgres/Cluster"
import { runtimeRole } from "@quittance/persistence/sql/Roles"
import { EventsRepo } from "@quittance/persistence/requests/EventsRepo"
import * as Sql from "@quittance/persistence/sql/Sql"
import { Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { behind } from "../Campaign.ts"
import * as Destruction from "../Destruction.ts"
import { drawing } from "../Draw.ts"
import * as Line from "../Line.ts"
import { sell, type Sold } from "../Sale.ts"
import * as Shaken from "../Shaken.ts"
import * as Worker from "../Worker.ts"
import * as World from "../World.ts"
import * as Told from "./Told.ts"
import * as Verdict from "./Verdict.ts"
import * as Writers from "./Writers.ts"
import { TenantId } from "@quittance/domain/requests/Tenancy"

export interface Settings {
  readonly kills: number
  readonly workers: number
  readonly seed: number
}

const tenants = 3
const policies = 4
const writers = 4
/** The database restarts once for so many workers that were killed. */
const killsOfRestart = 12
const program = "./events/EventWorker.ts"
/** Workers do something before they die: what they have begun is to be taken up by others. */
const spared = 12

/** Events that have no position or were not told to everybody. */
const waiting = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly count: number }>`
    SELECT (SELECT count(*) FROM event_pending)::int + (
      SELECT coalesce(sum(h.position - coalesce(c.position, 0)), 0)::int
      FROM event_head h CROSS JOIN unnest(${[...Told.names]}::text[]) AS n(name)
      LEFT JOIN event_consumer c ON c.tenant_id = h.tenant_id AND c.name = n.name) AS count
  `
  return row!.count
})

const seed = Effect.fnUntraced(function* (draw: ReturnType<typeof drawing>) {
  const now = fromEpochMillis(Date.now())
  const products = ["bicycle-de", "bicycle-be"].map(World.productOf)
  const sold: Array<Sold> = []
  for (let number = 1; number <= tenants; number++) {
    const world = yield* World.make(TenantId.make(`chaos-${number}`), now, products)
    for (let sale = 0; sale < policies; sale++) {
      sold.push(yield* sell(world, draw, now, `sale-${sale}`))
    }
  }
  return sold
})

/** Has events recorded and told until so many workers have died, and then one tell what is left. */
export const campaign = Effect.fn("Events.campaign")(function* (settings: Settings) {
  const { kills, seed: number } = settings
  const draw = drawing(number)
  const started = performance.now()
  const shaken = yield* Shaken.start
  const asSuperuser = behind(shaken)
  yield* asSuperuser(Told.createTable)
  const mail = yield* Effect.acquireRelease(
    Effect.promise(() => fs.mkdtemp(path.join(os.tmpdir(), "quittance-chaos-mail-"))),
    (folder) => Effect.promise(() => fs.rm(folder, { recursive: true, force: true }))
  )
  // The writers' own line: the server has another port after each restart.
  const own = yield* Line.make(() => shaken.server().port)
  const url = Cluster.url({ ...shaken.server(), port: own.port }, runtimeRole)
  const services = yield* Layer.build(
    Layer.merge(World.layer, EventsRepo.layer.pipe(Layer.provide(World.layer))).pipe(
      Layer.provideMerge(Sql.succeed(yield* Sql.pool(url, runtimeRole)))
    )
  )
  const sold = yield* Effect.provideContext(seed(draw), services)
  const site: Destruction.Site = {
    hosts: [{ harness: "127.0.0.1", own: "127.0.0.1", command: [], env: {} }],
    port: () => shaken.server().port
  }
  const programs = Array.from({ length: settings.workers }, () => program)
  const victims = yield* Destruction.victims(shaken, site, programs)
  const toll = Destruction.noToll()
  const isOver = () => toll.kills >= kills
  const plan = { shaken, draw, mail, spared, toll, isOver }
  const written = Writers.none()
  const writing = Writers.write({ sold, draw, isOver }, written).pipe(
    Effect.provideContext(services)
  )
  yield* Effect.all(
    [
      ...Array.from({ length: writers }, () => writing),
      Destruction.restarts(killsOfRestart, plan),
      ...victims.map((victim) => Destruction.destroy(victim, plan))
    ],
    { concurrency: "unbounded", discard: true }
  )
  const left = yield* asSuperuser(waiting)
  const calm = Destruction.worker(victims[0]!, { draw, mail })
  for (let time = 0; time < 1200; time++) {
    const exit = yield* Effect.exit(asSuperuser(waiting))
    if (Exit.isSuccess(exit) && exit.value === 0) break
    yield* Effect.promise(() => sleep(100))
  }
  yield* Worker.kill(calm)
  const cutCommits = victims.reduce((sum, { line }) => sum + line.cutCommits(), 0)
  const seconds = Math.round((performance.now() - started) / 1000)
  return { asSuperuser, cutCommits, left, seconds, toll, written }
})

/** Runs it and prints what came of it; whether every consumer was told every event once, in order. */
export const run = Effect.fn("Events.run")(function* (settings: Settings) {
  const { asSuperuser, cutCommits, left, seconds, toll, written } = yield* campaign(settings)
  const { events, faults, late, subjects } = yield* asSuperuser(Verdict.reach)
  const { inTransaction, kills, restarts, terminated } = toll
  const tellings = events * Told.names.length
  process.stdout.write(
    [
      `seed ${settings.seed}: ${settings.workers} workers, ${writers} writers in ${seconds} s`,
      `  ${kills} workers were killed, ${inTransaction} of them in a transaction`,
      `  ${cutCommits} commits and ${terminated} sessions were cut, the database restarted ${restarts.fast + restarts.immediate} times, ${restarts.immediate} of them at once`,
      `  ${written.committed} transactions committed, ${written.held} of them held open before; ${written.undone} were undone`,
      `  ${events} events of ${subjects} subjects, ${late} of them placed after one written later`,
      `  ${Told.names.length} consumers were told ${tellings - left} times of an event while workers died, and ${left} times after it`,
      ...faults.map((fault) => `  FAULT ${fault}`),
      `${faults.length} faults\n`
    ].join("\n")
  )
  return faults.length === 0
})
