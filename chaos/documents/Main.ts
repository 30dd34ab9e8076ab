/**
 * `pnpm chaos documents`: documents that become due and are read, while dispatchers, APIs, their renderers
 * and their database are killed. The time of the tenants goes by in days.
 */
import { TenantId } from "@quittance/domain/requests/Tenancy"
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
import { behind } from "../Campaign.ts"
import * as DatabaseClock from "../DatabaseClock.ts"
import { deed } from "../Deeds.ts"
import * as Destruction from "../Destruction.ts"
import { type Draw, drawing } from "../Draw.ts"
import * as Line from "../Line.ts"
import { sell, type Sold } from "../Sale.ts"
import * as Shaken from "../Shaken.ts"
import * as Worker from "../Worker.ts"
import * as World from "../World.ts"
import * as Desk from "./Desk.ts"
import * as Readers from "./Readers.ts"
import * as Renderers from "./Renderers.ts"
import * as Verdict from "./Verdict.ts"

export interface Settings {
  readonly kills: number
  /** Dispatchers; as many APIs are beside them, and a billing worker. */
  readonly workers: number
  readonly seed: number
}

const tenants = 2
const policies = 3
const readers = 2
const products = ["motor-fr", "home-fr", "bicycle-de"]
const firstDay = fromEpochMillis(Date.parse("2026-01-05T10:17:00Z"))
const day = 86_400_000
/** The database restarts once for so many programs that were killed. */
const killsOfRestart = 12
/** So many files come to readers between two kills: what dies is to die of what it makes. */
const filesOfKill = 5
/** Clocks of programs are off by at most so much, as those of machines are that bear each other's tokens. */
const skewHours = 2 / 3600
/** Seconds until what was begun by a program that was killed is taken up: its lease is half a minute. */
const patience = 180

/** What waits for a dispatcher or a billing worker. */
const waiting = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly count: number }>`
    SELECT (SELECT count(*)::int FROM event_pending) + (SELECT count(*)::int FROM document_making)
      + (SELECT count(*)::int FROM signature_sealing)
      + (SELECT count(*)::int FROM policy WHERE next_due_at <= clock_timestamp())
      + (SELECT count(*)::int FROM event_head h WHERE NOT EXISTS (SELECT FROM event_consumer c
        WHERE c.tenant_id = h.tenant_id AND c.name = 'documents' AND c.position = h.position)) AS count
  `
  return row!.count
})

/** All that has bytes, or is to have some. */
const readable = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Readers.Wanted>`
    SELECT tenant_id AS tenant, id FROM document
    WHERE status IN ('PENDING', 'READY', 'FAILED') OR content_address IS NOT NULL
  `
})

const seed = Effect.fnUntraced(function* (draw: Draw) {
  const sold: Array<Sold> = []
  for (let number = 1; number <= tenants; number++) {
    const world = yield* World.make(
      TenantId.make(`chaos-${number}`),
      firstDay,
      products.map(World.productOf)
    )
    for (let sale = 0; sale < policies; sale++) {
      sold.push(yield* sell(world, draw, firstDay, `sale-${sale}`))
    }
  }
  return sold
})

/** Has documents made and read until so many programs have died, and then all that are left, in peace. */
export const campaign = Effect.fn("Documents.campaign")(function* (settings: Settings) {
  const { kills, seed: number, workers } = settings
  const draw = drawing(number)
  const started = performance.now()
  const shaken = yield* Shaken.start
  const asSuperuser = behind(shaken)
  yield* asSuperuser(DatabaseClock.takeOver)
  yield* asSuperuser(DatabaseClock.put(new Date(firstDay)))
  const mail = yield* Effect.acquireRelease(
    Effect.promise(() => fs.mkdtemp(path.join(os.tmpdir(), "quittance-chaos-mail-"))),
    (folder) => Effect.promise(() => fs.rm(folder, { recursive: true, force: true }))
  )
  const own = yield* Line.make(() => shaken.server().port)
  const url = Cluster.url({ ...shaken.server(), port: own.port }, runtimeRole)
  const services = yield* Layer.build(
    Desk.layer.pipe(
      Layer.provideMerge(World.layer),
      Layer.provideMerge(Sql.succeed(yield* Sql.pool(url, runtimeRole)))
    )
  )
  const sold = yield* Effect.provideContext(seed(draw), services)
  const worlds = [...new Set(sold.map(({ world }) => world))]
  const site: Destruction.Site = {
    hosts: [{ harness: "127.0.0.1", own: "127.0.0.1", command: [], env: {} }],
    port: () => shaken.server().port
  }
  const each = (app: string) => Array.from({ length: workers }, () => Worker.appProgram(app))
  const apis = yield* Destruction.victims(shaken, site, each("public-api"))
  const makers = yield* Destruction.victims(shaken, site, [
    ...each("dispatcher"),
    Worker.appProgram("billing-worker")
  ])
  const desk = yield* Effect.provideContext(Desk.make(apis, worlds), services)
  const toll = Destruction.noToll()
  const reads = Readers.none()
  const renderers = Renderers.none()
  const isOver = () => toll.kills >= kills
  let last = { kills: 0, whole: 0 }
  const isReady = () => {
    if (toll.kills !== last.kills) last = { kills: toll.kills, whole: reads.whole }
    return reads.whole - last.whole >= filesOfKill
  }
  const plan = { shaken, draw, mail, spared: 4, skewHours, isReady, toll, isOver }
  let now: Instant = firstDay
  let deeds = 0
  const people = Effect.gen(function* () {
    for (let name = 0; !isOver(); name++) {
      yield* Effect.promise(() => sleep(draw.below(400)))
      const occasion = { sold: draw.one(sold), draw, now, name: `deed-${name}` }
      if (yield* deed(occasion)) deeds++
    }
  }).pipe(Effect.provideContext(services))
  const days = Effect.gen(function* () {
    while (!isOver()) {
      yield* Effect.promise(() => sleep(1000 + draw.below(4000)))
      now = fromEpochMillis(toEpochMillis(now) + draw.one([1, 3, 7, 12]) * day)
      yield* Effect.exit(asSuperuser(DatabaseClock.put(new Date(now))))
    }
  })
  yield* Effect.all(
    [
      people,
      days,
      ...Array.from({ length: readers }, () =>
        Readers.read(asSuperuser, { desk, draw, isOver }, reads)
      ),
      Renderers.destroy({ draw, files: () => reads.whole, isOver }, renderers),
      Destruction.restarts(killsOfRestart, plan),
      ...[...apis, ...makers].map((victim) => Destruction.destroy(victim, plan))
    ],
    { concurrency: "unbounded", discard: true }
  )
  const left = yield* asSuperuser(waiting)
  const calm = [apis[0]!, makers[0]!, makers.at(-1)!].map((victim) =>
    Destruction.worker(victim, { draw, mail, skewHours })
  )
  for (let time = 0; time < patience * 5; time++) {
    const exit = yield* Effect.exit(asSuperuser(waiting))
    if (Exit.isSuccess(exit) && exit.value === 0) break
    yield* Effect.promise(() => sleep(200))
  }
  const only = yield* Effect.provideContext(Desk.make(apis.slice(0, 1), worlds), services)
  for (const wanted of yield* asSuperuser(readable)) {
    for (let time = 0; time < patience; time++) {
      if (yield* Effect.promise(() => Readers.readOne(only, wanted, reads))) break
      yield* Effect.promise(() => sleep(500))
    }
  }
  yield* Effect.forEach(calm, Worker.kill)
  yield* Effect.promise(() => sleep(1000))
  const cutCommits = [...apis, ...makers].reduce((sum, { line }) => sum + line.cutCommits(), 0)
  return {
    asSuperuser,
    cutCommits,
    days: Math.round((toEpochMillis(now) - toEpochMillis(firstDay)) / day),
    deeds,
    left,
    orphans: Renderers.left(renderers).length,
    reads,
    renderers,
    seconds: Math.round((performance.now() - started) / 1000),
    toll
  }
})

/** What is wrong once a campaign is over. */
export const judge = ({ asSuperuser, reads }: Ended) => asSuperuser(Verdict.reach(reads.given))

export type Ended = Effect.Success<ReturnType<typeof campaign>>

/** Runs it and prints what came of it; whether each document is there once, and has its bytes. */
export const run = Effect.fn("Documents.run")(function* (settings: Settings) {
  const ended = yield* campaign(settings)
  const { cutCommits, days, deeds, left, orphans, reads, renderers, seconds, toll } = ended
  const { documents, faults: wrong, ready } = yield* judge(ended)
  const { inTransaction, kills, restarts, terminated } = toll
  const faults = [
    ...wrong,
    ...reads.faults,
    ...(orphans > 0 ? [`${orphans} renderers run on without their programs`] : [])
  ]
  const refused = [...reads.refused].map(([status, count]) => `${status} ${count} times`)
  process.stdout.write(
    [
      `seed ${settings.seed}: ${settings.workers} dispatchers and APIs, ${days} days in ${seconds} s`,
      `  ${kills} programs were killed, ${inTransaction} of them in a transaction, and ${renderers.kills} renderers`,
      `  ${cutCommits} commits and ${terminated} sessions were cut, the database restarted ${restarts.fast + restarts.immediate} times, ${restarts.immediate} of them at once`,
      `  ${deeds} deeds of people; ${left} policies, events and documents waited when the last program was killed`,
      `  ${documents} documents, ${ready} of them ready; ${reads.whole} files were read, ${reads.cut} reads were cut; refused: ${refused.join(", ") || "none"}`,
      ...faults.map((fault) => `  FAULT ${fault}`),
      `${faults.length} faults\n`
    ].join("\n")
  )
  return faults.length === 0
})
