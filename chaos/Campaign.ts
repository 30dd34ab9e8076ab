/** A year or so of several tenants, during which nothing holds but the database. */
import { fromEpochMillis, type Instant, toEpochMillis } from "@quittance/domain/values/Instant"
import * as Cluster from "@quittance/embedded-postgres/Cluster"
import { runtimeRole } from "@quittance/persistence/sql/Roles"
import * as Sql from "@quittance/persistence/sql/Sql"
import { Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import * as DatabaseClock from "./DatabaseClock.ts"
import { deed } from "./Deeds.ts"
import * as Destruction from "./Destruction.ts"
import { type Draw, drawing } from "./Draw.ts"
import * as Line from "./Line.ts"
import { sell, type Sold } from "./Sale.ts"
import * as Shaken from "./Shaken.ts"
import * as Worker from "./Worker.ts"
import * as World from "./World.ts"
import { TenantId } from "@quittance/domain/requests/Tenancy"

export interface Settings {
  readonly kills: number
  /** Billing workers; a dispatcher is beside them. */
  readonly workers: number
  readonly policies: number
  readonly seed: number
  /** How many pauses there are where nothing is killed. */
  readonly pauses: number
}

const tenants = 5
const firstDay = fromEpochMillis(Date.parse("2026-01-05T10:17:00Z"))
const day = 86_400_000
export const products = [
  "motor-fr",
  "home-fr",
  "liability-fr",
  "bicycle-it",
  "bicycle-de",
  "bicycle-be"
]

/** How many days pass without any worker: mostly days, often a week, at times more than a month. */
const pauses = [1, 2, 7, 7, 7, 12, 20, 33]

/** How many days pass before the end: by then every policy that was sold first has begun. */
const lastPause = 42

/** The database as its superuser sees it, now. */
export const behind =
  (shaken: Shaken.Shaken) =>
  <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
    Cluster.asSuperuser(shaken.server(), effect, Cluster.databaseName)

/** Policies that wait for a worker, or letters, or rows of the trail. */
const waiting = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly due: number; readonly rest: number }>`
    SELECT (SELECT count(*)::int FROM policy WHERE next_due_at <= clock_timestamp()) AS due,
      (SELECT count(*)::int FROM letter WHERE due_at <= clock_timestamp()) + (SELECT count(*)::int FROM audit_pending) AS rest
  `
  return row!
})

/** Everything on this machine, and nothing between the programs and the database. */
const here = (shaken: Shaken.Shaken) =>
  Effect.succeed<Destruction.Site>({
    hosts: [{ harness: "127.0.0.1", own: "127.0.0.1", command: [], env: {} }],
    port: () => shaken.server().port
  })

export const run = Effect.fn("Campaign.run")(function* <E = never, R = never>(
  settings: Settings,
  siteOf: (shaken: Shaken.Shaken) => Effect.Effect<Destruction.Site, E, R> = here
) {
  const draw = drawing(settings.seed)
  const started = performance.now()
  const shaken = yield* Shaken.start
  const asSuperuser = behind(shaken)
  yield* asSuperuser(DatabaseClock.takeOver)
  yield* asSuperuser(DatabaseClock.put(new Date(firstDay)))
  const mail = yield* Effect.acquireRelease(
    Effect.promise(() => fs.mkdtemp(path.join(os.tmpdir(), "quittance-chaos-mail-"))),
    (folder) => Effect.promise(() => fs.rm(folder, { recursive: true, force: true }))
  )
  const site = yield* siteOf(shaken)
  const own = yield* Line.make(site.port)
  const url = Cluster.url({ ...shaken.server(), port: own.port }, runtimeRole)
  const services = yield* Layer.build(
    World.layer.pipe(Layer.provideMerge(Sql.succeed(yield* Sql.pool(url, runtimeRole))))
  )
  const sold = yield* Effect.provideContext(seed(settings, draw), services)
  const toll = Destruction.noToll()
  const victims = yield* Destruction.victims(shaken, site, programs(settings))
  // So that a short campaign has pauses and restarts, too.
  const killsOfRound = Math.min(20, Math.max(5, Math.ceil(settings.kills / 5)))
  let now: Instant = firstDay
  let rounds = 0
  let deeds = 0
  /** What people do after a pause, until the round is over. */
  const people = (round: number, at: Instant, isOver: () => boolean) =>
    Effect.gen(function* () {
      for (let number = 0; number < settings.policies / 2 && !isOver(); number++) {
        const name = `${round}-${number}`
        if (yield* deed({ sold: draw.one(sold), draw, now: at, name })) deeds++
      }
    }).pipe(Effect.provideContext(services))
  const isPeaceful = settings.kills === 0
  const unharmed = isPeaceful ? pair(victims, draw, mail) : []
  while (isPeaceful ? rounds < settings.pauses : toll.kills < settings.kills) {
    rounds++
    now = fromEpochMillis(toEpochMillis(now) + draw.one(pauses) * day)
    yield* asSuperuser(DatabaseClock.put(new Date(now)))
    if (isPeaceful) {
      yield* people(rounds, now, () => false)
      // Often there is more to do before all of it is done.
      if (draw.percent(70)) yield* drained(asSuperuser(waiting))
      continue
    }
    const goal = Math.min(settings.kills, toll.kills + killsOfRound)
    let isDrained = false
    const isOver = () => isDrained || toll.kills >= goal
    const plan = { shaken, draw, mail, toll, isOver }
    const watch = Effect.gen(function* () {
      while (!isOver()) {
        yield* Effect.promise(() => sleep(100))
        const exit = yield* Effect.exit(asSuperuser(waiting))
        if (Exit.isSuccess(exit)) isDrained = exit.value.due === 0
      }
    })
    yield* Effect.all(
      [
        watch,
        people(rounds, now, isOver),
        Destruction.restarts(killsOfRound, plan),
        ...victims.map((victim) => Destruction.destroy(victim, plan))
      ],
      { concurrency: "unbounded", discard: true }
    )
  }
  yield* Effect.forEach(unharmed, Worker.kill)
  // Whatever has not come to pass until then is caught up in peace.
  now = fromEpochMillis(toEpochMillis(now) + lastPause * day)
  yield* asSuperuser(DatabaseClock.put(new Date(now)))
  yield* calm(victims, mail, asSuperuser(waiting))
  const cutCommits = victims.reduce((sum, { line }) => sum + line.cutCommits(), 0)
  const days = Math.round((toEpochMillis(now) - toEpochMillis(firstDay)) / day)
  const seconds = Math.round((performance.now() - started) / 1000)
  return {
    asSuperuser,
    cutCommits,
    days,
    deeds,
    mail,
    rounds,
    seconds,
    services,
    site,
    toll,
    victims
  }
})

/** What is killed: first the pair that does all there is to do. */
const programs = ({ workers }: Settings): ReadonlyArray<string> => [
  Worker.appProgram("dispatcher"),
  ...Array.from({ length: workers }, () => Worker.appProgram("billing-worker"))
]

/** One dispatcher and one billing worker. */
const pair = (victims: ReadonlyArray<Destruction.Victim>, draw: Draw, mail: string) =>
  victims.slice(0, 2).map((victim) => Destruction.worker(victim, { draw, mail }))

/** Lets an undisturbed pair of workers finish the remaining work. */
const calm = Effect.fnUntraced(function* <E>(
  victims: ReadonlyArray<Destruction.Victim>,
  mail: string,
  left: Effect.Effect<Effect.Success<typeof waiting>, E>
) {
  const children = pair(victims, drawing(0), mail)
  yield* drained(left)
  yield* Effect.forEach(children, Worker.kill)
})

/** After so many looks, ten a second, at which no less was left than ever before, nothing more is waited for. */
const stillAtEnd = 1200

/** Waits until nothing is left to be done, or nothing is done any more. */
const drained = Effect.fnUntraced(function* <E>(
  left: Effect.Effect<Effect.Success<typeof waiting>, E>
) {
  let least = Number.POSITIVE_INFINITY
  for (let still = 0; still < stillAtEnd; still++) {
    const { due, rest } = yield* left
    if (due + rest === 0) break
    if (due + rest < least) {
      least = due + rest
      still = 0
    }
    yield* Effect.promise(() => sleep(100))
  }
})

/** The same after something else was done when the campaign was over. */
export const settle = ({ asSuperuser, mail, victims }: Ended) =>
  calm(victims, mail, asSuperuser(waiting))

/** What is there when a campaign is over, and all that was due has been done. */
export type Ended = Effect.Success<ReturnType<typeof run>>

const seed = Effect.fnUntraced(function* ({ policies }: Settings, draw: Draw) {
  const worlds = yield* Effect.forEach(Array.from({ length: tenants }).keys(), (number) =>
    World.make(TenantId.make(`chaos-${number + 1}`), firstDay, products.map(World.productOf))
  )
  const sold: Array<Sold> = []
  for (let number = 0; number < policies; number++) {
    sold.push(yield* sell(worlds[number % worlds.length]!, draw, firstDay, `sale-${number}`))
  }
  return sold
})
