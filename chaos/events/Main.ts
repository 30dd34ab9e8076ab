/**
 * `pnpm chaos events`: the feed, its consumers and webhooks, while dispatchers and their database are
 * killed.
 */
import { fromEpochMillis } from "@quittance/domain/values/Instant"
import { Webhooks } from "@quittance/operations/webhooks/Webhooks"
import { KeyEncryption } from "@quittance/operations/tokens/KeyEncryption"
import { CallRules } from "@quittance/outgoing/CallRules"
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
import * as Arrivals from "./Arrivals.ts"
import * as Endpoints from "./Endpoints.ts"
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

/** Requests that come to receivers between two kills, so that senders die of what they do. */
const requestsOfKill = 100
/** How much may wait before writers do: what dies is to die of what has just come. */
const mayWait = 300
/** The same of events that endpoints have not taken, whose lanes wait for the claims of the dead. */
const mayWaitForEndpoints = 5000
/** Clocks of senders that bear each other's claims: a machine's is seldom off by more. */
const skewHours = 2 / 3600
/** Runs of at least so many kills are held to how much may come twice. */
const killsOfBar = 1000
const mayDouble = 0.01

/** Events that have no position, were not told to everybody, or wait for an endpoint. */
const waiting = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly count: number }>`
    SELECT (SELECT count(*) FROM event_pending)::int
      + (SELECT count(*) FROM webhook_lane WHERE due_at IS NOT NULL)::int
      + (SELECT count(*) FROM webhook_stream s JOIN event_head h USING (tenant_id)
        WHERE s.position < h.position)::int + (
      SELECT coalesce(sum(h.position - coalesce(c.position, 0)), 0)::int
      FROM event_head h CROSS JOIN unnest(${[...Told.names]}::text[]) AS n(name)
      LEFT JOIN event_consumer c ON c.tenant_id = h.tenant_id AND c.name = n.name) AS count
  `
  return row!.count
})

/** Events that wait in lanes of endpoints, or for a place there. */
const waitingForEndpoints = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly count: number }>`
    SELECT (SELECT coalesce(sum(last_seq - done_seq), 0) FROM webhook_lane)::int
      + (SELECT coalesce(sum(h.position - s.position), 0)
        FROM webhook_stream s JOIN event_head h USING (tenant_id))::int AS count
  `
  return row!.count
})

/** Time passes for whatever waits longer than a few seconds for its next try. */
const bringForward = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    UPDATE webhook_lane SET due_at = clock_timestamp() WHERE (tenant_id, webhook_id, replay_id, subject) IN (
      SELECT tenant_id, webhook_id, replay_id, subject FROM webhook_lane
      WHERE claim IS NULL AND due_at > clock_timestamp() + interval '2 seconds'
      FOR NO KEY UPDATE SKIP LOCKED)
  `
})

/** When all senders are dead, their claims end at once instead of after a minute. */
const endClaims = SqlClient.SqlClient.use(
  (sql) => sql`UPDATE webhook_lane SET claimed_until = clock_timestamp() WHERE claim IS NOT NULL`
)

/** After so many looks, ten a second, at which no event has arrived, nothing more is waited for. */
const stillAtEnd = 600

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
    Layer.mergeAll(EventsRepo.layer, Webhooks.layer).pipe(
      Layer.provide([KeyEncryption.layerOf(World.keyEncryptionKey), CallRules.layer]),
      Layer.provideMerge(World.layer),
      Layer.provideMerge(Sql.succeed(yield* Sql.pool(url, runtimeRole)))
    )
  )
  const sold = yield* Effect.provideContext(seed(draw), services)
  const worlds = new Set(sold.map(({ world }) => world))
  const endpoints = yield* Effect.forEach(worlds, (world) => Endpoints.make(world, draw)).pipe(
    Effect.map((found) => found.flat()),
    Effect.provideContext(services)
  )
  const site: Destruction.Site = {
    hosts: [{ harness: "127.0.0.1", own: "127.0.0.1", command: [], env: {} }],
    port: () => shaken.server().port
  }
  const programs = Array.from({ length: settings.workers }, () => program)
  const victims = yield* Destruction.victims(shaken, site, programs)
  const toll = Destruction.noToll()
  const isOver = () => toll.kills >= kills
  let last = { kills: 0, requests: 0 }
  const isReady = () => {
    const requests = Endpoints.requests(endpoints)
    if (toll.kills !== last.kills) last = { kills: toll.kills, requests }
    return requests - last.requests >= requestsOfKill
  }
  const plan = { shaken, draw, mail, spared, skewHours, isReady, toll, isOver }
  const written = Writers.none()
  const writing = Writers.write({ sold, draw, isBehind: () => isBehind, isOver }, written).pipe(
    Effect.provideContext(services)
  )
  let isBehind = false
  const passing = Effect.gen(function* () {
    while (!isOver()) {
      yield* Effect.promise(() => sleep(1000))
      yield* Effect.exit(asSuperuser(bringForward))
      const exit = yield* Effect.exit(asSuperuser(Effect.all([waiting, waitingForEndpoints])))
      if (Exit.isFailure(exit)) continue
      const [told, sent] = exit.value
      isBehind = told > mayWait || sent > mayWaitForEndpoints
    }
  })
  const changing = Endpoints.change(endpoints, draw, isOver).pipe(Effect.provideContext(services))
  const [changes] = yield* Effect.all(
    [
      changing,
      passing,
      ...Array.from({ length: writers }, () => writing),
      Destruction.restarts(killsOfRestart, plan),
      ...victims.map((victim) => Destruction.destroy(victim, plan))
    ],
    { concurrency: "unbounded" }
  )
  const requests = Endpoints.requests(endpoints)
  yield* asSuperuser(endClaims)
  yield* Effect.provideContext(Endpoints.calm(endpoints), services)
  const left = yield* asSuperuser(waiting)
  const calm = Destruction.worker(victims[0]!, { draw, mail, skewHours })
  // As long as something still arrives: after many kills a hundred thousand requests are left.
  let most = 0
  for (let time = 0, still = 0; still < stillAtEnd; time++, still++) {
    if (time % 10 === 0) yield* asSuperuser(bringForward)
    const exit = yield* Effect.exit(asSuperuser(waiting))
    if (Exit.isSuccess(exit) && exit.value === 0) break
    // Events, and not requests: one that is sent again and again is no progress.
    const arrived = Endpoints.arrived(endpoints)
    if (arrived > most) still = 0
    most = arrived
    yield* Effect.promise(() => sleep(100))
  }
  yield* Worker.kill(calm)
  const cutCommits = victims.reduce((sum, { line }) => sum + line.cutCommits(), 0)
  const seconds = Math.round((performance.now() - started) / 1000)
  return { asSuperuser, changes, cutCommits, endpoints, left, requests, seconds, toll, written }
})

/**
 * Runs it and prints what came of it; whether every consumer was told every event once, and every endpoint
 * what it had asked for, in order.
 */
export const run = Effect.fn("Events.run")(function* (settings: Settings) {
  const ended = yield* campaign(settings)
  const { asSuperuser, changes, cutCommits, endpoints, left, seconds, toll, written } = ended
  const { events, faults: wrong, late, subjects } = yield* asSuperuser(Verdict.reach)
  const arrivals = yield* asSuperuser(Arrivals.compare(endpoints))
  const { inTransaction, kills, restarts, terminated } = toll
  const doubled = arrivals.doubled / Math.max(1, arrivals.taken)
  const faults = [
    ...wrong,
    ...arrivals.faults,
    ...(kills >= killsOfBar && doubled > mayDouble ? ["too much came twice"] : [])
  ]
  const tellings = events * Told.names.length
  process.stdout.write(
    [
      `seed ${settings.seed}: ${settings.workers} workers, ${writers} writers in ${seconds} s`,
      `  ${kills} workers were killed, ${inTransaction} of them in a transaction`,
      `  ${cutCommits} commits and ${terminated} sessions were cut, the database restarted ${restarts.fast + restarts.immediate} times, ${restarts.immediate} of them at once`,
      `  ${written.committed} transactions committed, ${written.held} of them held open before; ${written.undone} were undone`,
      `  ${events} events of ${subjects} subjects, ${late} of them placed after one written later`,
      `  ${Told.names.length} consumers were told ${tellings} times of an event; ${left} tellings waited when the last worker was killed`,
      `  ${endpoints.length} endpoints have taken ${arrivals.taken} events by ${arrivals.requests} requests, ${ended.requests} of them while workers died; receivers failed ${arrivals.refused}`,
      `  ${arrivals.doubled} events (${(100 * doubled).toFixed(2)} %) came again though they were answered, ${arrivals.repeated} whose receivers kept the answer back`,
      `  filters were changed ${changes.filters} times, secrets ${changes.secrets}, limits ${changes.limits}; endpoints were disabled ${changes.pauses} times by people`,
      ...faults.map((fault) => `  FAULT ${fault}`),
      `${faults.length} faults\n`
    ].join("\n")
  )
  return faults.length === 0
})
