/**
 * One tenant attacks, another one's reads and sign-ins are measured beside it: the whole service in one
 * process as `start` runs it, the crowd in a second and the measure in a third.
 */
import { Console, Effect } from "effect"
import { freePort } from "@quittance/embedded-postgres/FreePort"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ChildProcess } from "node:child_process"
import { setTimeout } from "node:timers/promises"
import { type Attack, type Statuses, type Way, ways } from "./CrowdAttack.ts"
import * as CrowdClient from "./CrowdClient.ts"
import * as Forked from "./Forked.ts"
import type { Bar } from "./Interleaved.ts"
import { sized } from "./Smoke.ts"

/** Milliseconds of each measure. */
const duration = sized(12_000, 900)
/** Milliseconds between two reads, and two sign-ins. */
const readEvery = 25
const signInEvery = 400
/** How much longer the slowest hundredth may take beside a crowd. */
const limit = 3

const victim = "globex"
const visitors = 20

interface Times {
  readonly reads: ReadonlyArray<number>
  readonly signIns: ReadonlyArray<number>
  /** Answers that were not the ones asked for. */
  readonly failures: number
  readonly crashes: number
}

const p99 = (times: ReadonlyArray<number>) => {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(Math.floor(sorted.length * 0.99), sorted.length - 1)] ?? Number.NaN
}

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "quittance-crowd-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

const untilReady = async (port: number) => {
  for (let tries = 0; tries < 1800; tries++) {
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined)
    if (answer?.status === 200) return
    await setTimeout(100)
  }
  throw new Error("The service is not ready after three minutes.")
}

const service = Effect.gen(function* () {
  const port = yield* Effect.promise(freePort)
  yield* Forked.startBare("../apps/standalone/src/main.ts", {
    ENVIRONMENT: "sandbox",
    PORT: `${port}`,
    MANAGEMENT_PORT: "0",
    DATA_DIR: yield* folder,
    TRUSTED_PROXIES: "1"
  })
  yield* Effect.promise(() => untilReady(port))
  return port
})

interface Victim {
  readonly read: () => Promise<number>
  readonly signIn: (turn: number) => Promise<number>
}

/** A visitor reads their own policy. */
const readerOf = async (port: number, turn: number) => {
  const address = CrowdClient.addressOf(200 + turn)
  const token = await CrowdClient.visitor(port, victim, address)
  const policyId = await CrowdClient.policyAggregate(port, victim, token, address)
  const headers = CrowdClient.jsonHeaders(victim, token, address)
  return () => CrowdClient.send({ port, path: `/policies/${policyId}`, headers })
}

const victimOf = async (port: number): Promise<Victim> => {
  // Many people: one of them alone would meet the bound of a visitor's own requests.
  const readers = await Promise.all(
    Array.from({ length: visitors }, (_, turn) => readerOf(port, turn))
  )
  const signIn = await CrowdClient.loginForm(port, victim, CrowdClient.addressOf(99))
  let turn = 0
  return {
    read: async () => (await readers[turn++ % visitors]!()).status,
    signIn: async (count) =>
      (await signIn("sandbox-password", CrowdClient.addressOf(100_000 + count))).status
  }
}

let turns = 0

/** Asks at fixed instants, whether or not what was asked before is answered: as people do. */
const measure = async ({ read, signIn }: Victim): Promise<Times> => {
  const times = { reads: [] as Array<number>, signIns: [] as Array<number> }
  let failures = 0
  let crashes = 0
  const timed = async (into: Array<number>, ask: Promise<number>, expected: number) => {
    const begun = performance.now()
    const status = await ask
    into.push(performance.now() - begun)
    if (status !== expected) failures += 1
    if (status === 500) crashes += 1
  }
  const every = async (millis: number, ask: () => Promise<void>) => {
    const asked: Array<Promise<void>> = []
    const begun = performance.now()
    for (let count = 0; count * millis < duration; count++) {
      await setTimeout(Math.max(begun + count * millis - performance.now(), 0))
      asked.push(ask())
    }
    await Promise.all(asked)
  }
  await Promise.all([
    every(readEvery, () => timed(times.reads, read(), 200)),
    every(signInEvery, () => timed(times.signIns, signIn(turns++), 303))
  ])
  return { ...times, failures, crashes }
}

/** Begins an attack and measures beside it; answers what both sides were answered. */
const beside = async (child: ChildProcess, port: number, victim: Victim, way: Way) => {
  const begun = once(child, "message")
  child.send({ port, way, millis: duration } satisfies Attack)
  await begun
  const ended = once(child, "message")
  const times = await measure(victim)
  // What the process answers when an attack is over.
  const [statuses] = (await ended) as [Statuses]
  return { times, statuses }
}

const told = ({ reads, signIns }: Times) =>
  `p99 ${p99(reads).toFixed(0)} ms of reads, ${p99(signIns).toFixed(0)} ms of sign-ins`

const barOf = (
  what: string,
  quiet: ReadonlyArray<number>,
  attacked: ReadonlyArray<number>
): Bar => {
  const [before, after] = [p99(quiet) * 1000, p99(attacked) * 1000]
  return { what, limit, ratio: after / before, micros: [before, after] }
}

export const bench = Effect.gen(function* () {
  const port = yield* service
  const victim = yield* Effect.promise(() => victimOf(port))
  // The first are slower: they find nothing compiled.
  yield* Effect.promise(() => measure(victim))
  const quiet = yield* Effect.promise(() => measure(victim))
  yield* Console.log(`  quiet: ${told(quiet)}`)
  const bars: Array<Bar> = []
  let crashes = quiet.crashes
  for (const way of ways) {
    const child = yield* Forked.startBare("./CrowdAttack.ts", {})
    const { statuses, times } = yield* Effect.promise(() => beside(child, port, victim, way))
    crashes += times.crashes + (statuses[500] ?? 0)
    yield* Console.log(
      `  ${way}: answered ${JSON.stringify(statuses)}; of the other tenant ${times.failures} failed; ${told(times)}`
    )
    bars.push(barOf(`${way}: p99 of another tenant's reads ÷ quiet`, quiet.reads, times.reads))
    bars.push(barOf(`${way}: p99 of its sign-ins ÷ quiet`, quiet.signIns, times.signIns))
  }
  bars.push({ what: "answers with 500", limit: 0, ratio: crashes, micros: [0, crashes] })
  return bars
}).pipe(Effect.scoped)
