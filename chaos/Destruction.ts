/** Workers that are killed, cut off and left without a database, at instants that hit transactions. */
import * as Cluster from "@quittance/embedded-postgres/Cluster"
import { freePort } from "@quittance/embedded-postgres/FreePort"
import { runtimeRole } from "@quittance/persistence/sql/Roles"
import { Effect, Exit, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { setTimeout as sleep } from "node:timers/promises"
import * as Bundle from "./Bundle.ts"
import type { Draw } from "./Draw.ts"
import { type Line, make as makeLine } from "./Line.ts"
import type { Shaken, Shutdown } from "./Shaken.ts"
import * as Worker from "./Worker.ts"

/** What was done, counted. */
export interface Toll {
  kills: number
  /** Kills of a process that had a transaction open. */
  inTransaction: number
  /** Sessions that the database ended. */
  terminated: number
  /** Restarts of the database, by how it was shut down. */
  readonly restarts: Record<Shutdown, number>
}

export const noToll = (): Toll => ({
  kills: 0,
  inTransaction: 0,
  terminated: 0,
  restarts: { fast: 0, immediate: 0 }
})

export interface Victim {
  readonly host: Worker.Host
  readonly line: Line
  readonly port: number
  /** The file of the program that it runs. */
  readonly program: string
  readonly url: string
}

/** Where workers run, and what they find there in place of the database. */
export interface Site {
  readonly hosts: ReadonlyArray<Worker.Host>
  /** The port of the harness that leads to the database. */
  readonly port: () => number
}

/** Lines for workers that run these programs, on one host after the other. */
export const victims = Effect.fn("Destruction.victims")(function* (
  shaken: Shaken,
  { hosts, port: upstream }: Site,
  programs: ReadonlyArray<string>
) {
  const bundles = new Map<string, string>()
  for (const program of new Set(programs)) bundles.set(program, yield* Bundle.make(program))
  return yield* Effect.forEach(programs, (name, number) =>
    Effect.gen(function* () {
      const program = bundles.get(name)!
      const host = hosts[number % hosts.length]!
      const line = yield* makeLine(upstream, host.harness)
      const port = yield* Effect.promise(freePort)
      const direct = Cluster.url({ ...shaken.server(), port: line.port }, runtimeRole)
      const url = new URL(Redacted.value(direct))
      url.hostname = host.harness
      return { host, line, port, program, url: url.href } satisfies Victim
    })
  )
})

interface Plan {
  readonly shaken: Shaken
  readonly draw: Draw
  readonly mail: string
  /** How many transactions a worker is let begin before one is harmed, on average; none unless it is said. */
  readonly spared?: number
  /** By how many hours the clock of a worker is off at most; four days unless it is said. */
  readonly skewHours?: number
  /** Whether enough was done since the last kill; always unless it is said. */
  readonly isReady?: () => boolean
  readonly toll: Toll
  /** Whether the worker that is killed next is not followed by another. */
  readonly isOver: () => boolean
}

const hours = 96

/** A worker for a victim's line; its clock is off by days unless less is said. */
export const worker = (
  { host, port, program, url }: Victim,
  { draw, mail, skewHours = hours }: Pick<Plan, "draw" | "mail" | "skewHours">
) =>
  Worker.start({
    host,
    databaseUrl: url,
    port,
    mail,
    program,
    skewHours: ((draw.below(2 * hours) - hours) / hours) * skewHours
  })

/** One worker after the other, each until it is killed. */
export const destroy = Effect.fn("Destruction.destroy")(function* (victim: Victim, plan: Plan) {
  const { draw, isOver, isReady = () => true, spared = 0, toll } = plan
  const { line } = victim
  while (!isOver()) {
    const child = worker(victim, plan)
    let isAlive = true
    while (isAlive && !isOver()) {
      const hasBegun = yield* Effect.promise(() => line.next("begin", 200))
      isAlive = child.exitCode === null
      if (!hasBegun || draw.below(spared + 1) > 0 || !isReady()) continue
      const chance = draw.below(100)
      if (chance < 12) {
        line.cutNextCommit(draw.one(["answered", "unanswered"]))
        yield* Effect.promise(() => line.next("commit", 1000))
      } else if (chance < 20) {
        yield* Effect.promise(() => sleep(draw.below(100)))
        toll.terminated += yield* terminateOne(plan)
      } else if (chance < 30) {
        // This transaction, and perhaps the next ones, are left alone.
      } else {
        yield* Effect.promise(() => sleep(draw.below(draw.one([5, 25, 100]))))
        if (line.open() > 0) toll.inTransaction++
        yield* Worker.kill(child)
        toll.kills++
        isAlive = false
      }
    }
    yield* Worker.kill(child)
  }
})

/** Ends a session of the product, whatever it does. */
const terminateOne = Effect.fnUntraced(function* ({ shaken }: Plan) {
  const ended = Cluster.asSuperuser(
    shaken.server(),
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE usename = ${runtimeRole} AND xact_start IS NOT NULL ORDER BY random() LIMIT 1
      `
    )
  )
  const exit = yield* Effect.exit(ended)
  // The database may be away itself.
  return Exit.isSuccess(exit) ? exit.value.length : 0
})

/** Restarts the database whenever so many workers have died. */
export const restarts = Effect.fn("Destruction.restarts")(function* (every: number, plan: Plan) {
  const { draw, isOver, shaken, toll } = plan
  while (!isOver()) {
    yield* Effect.promise(() => sleep(20))
    const done = toll.restarts.fast + toll.restarts.immediate
    if (toll.kills < (done + 0.5) * every) continue
    const how = draw.one(["fast", "immediate"] as const)
    yield* shaken.restart(how)
    toll.restarts[how]++
  }
})
