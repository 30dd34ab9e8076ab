/**
 * Limits how much runs at once: a total, a share for each key, and a bounded queue for each key. Keys with a
 * queue take turns, so that a long queue does not delay the others.
 */
import { Effect, Exit } from "effect"
import { Busy, type BusyWith } from "./RequestErrors.ts"

export interface TurnLimits {
  /** Turns of all keys together. */
  readonly atOnce: number
  /** Turns of one key. */
  readonly each: number
  /** How many of one key may wait; the next one is turned away at once. */
  readonly waiting: number
}

export interface Turns {
  /** Runs the effect in a turn of the key; a defect `Busy`, at once, where its line is full. */
  run<A, E, R>(key: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R>
  /** How many turns of all keys are at work, and how many are waited for. */
  counts(): TurnCounts
}

export interface TurnCounts {
  readonly running: number
  readonly waiting: number
}

interface Line {
  running: number
  /** In the order in which they came. */
  readonly waiting: Set<Waiter>
}

interface Waiter {
  begin: () => void
  given: boolean
}

type Restore = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** Seconds after which it is worth to come back: a turn is a matter of milliseconds. */
const comeBack = 1

/** Who is at work and who waits, of all keys. */
const book = ({ atOnce, each }: TurnLimits) => {
  const lines = new Map<string, Line>()
  /** Queues that are not empty, the next one to serve first. */
  const queued = new Map<string, Line>()
  let running = 0

  const lineOf = (key: string): Line => {
    const line = lines.get(key) ?? { running: 0, waiting: new Set() }
    lines.set(key, line)
    return line
  }

  const isFree = (line: Line) => running < atOnce && line.running < each

  const begin = (line: Line) => {
    running += 1
    line.running += 1
  }

  const serveNext = () => {
    for (const [key, line] of queued) {
      if (running >= atOnce) return
      if (!isFree(line)) continue
      const [waiter] = line.waiting
      // A key that was served goes to the end.
      queued.delete(key)
      if (waiter === undefined) continue
      line.waiting.delete(waiter)
      if (line.waiting.size > 0) queued.set(key, line)
      begin(line)
      waiter.given = true
      waiter.begin()
    }
  }

  const forget = (key: string, line: Line) => {
    if (line.waiting.size > 0) return
    queued.delete(key)
    if (line.running === 0) lines.delete(key)
  }

  const end = (key: string, line: Line) =>
    Effect.sync(() => {
      running -= 1
      line.running -= 1
      forget(key, line)
      serveNext()
    })

  const enqueue = (key: string, line: Line, waiter: Waiter) => {
    line.waiting.add(waiter)
    queued.set(key, line)
  }

  const counts = (): TurnCounts => {
    let waiting = 0
    for (const line of queued.values()) waiting += line.waiting.size
    return { running, waiting }
  }

  return { lineOf, isFree, begin, forget, end, enqueue, counts }
}

/** Turns of a kind; `waitingFor` is what a refusal names. */
export const make = (waitingFor: BusyWith, limits: TurnLimits): Turns => {
  const { begin, counts, end, enqueue, forget, isFree, lineOf } = book(limits)

  /** Waits in the line; who leaves it early gives a turn back that it has been given meanwhile. */
  const wait = (key: string, line: Line, waiter: Waiter, restore: Restore) => {
    const turn = Effect.callback<void>((resume) => {
      if (waiter.given) resume(Effect.void)
      else waiter.begin = () => resume(Effect.void)
    })
    return Effect.onExit(restore(turn), (exit) => {
      if (Exit.isSuccess(exit)) return Effect.void
      if (waiter.given) return end(key, line)
      return Effect.sync(() => {
        line.waiting.delete(waiter)
        forget(key, line)
      })
    })
  }

  const take = (key: string, restore: Restore): Effect.Effect<Line> =>
    Effect.suspend(() => {
      const line = lineOf(key)
      if (line.waiting.size === 0 && isFree(line)) {
        begin(line)
        return Effect.succeed(line)
      }
      if (line.waiting.size >= limits.waiting) {
        forget(key, line)
        return Effect.die(new Busy({ waitingFor, retryAfter: comeBack }))
      }
      // In the line before anything else can happen: a turn that ends meanwhile wakes who waits.
      const waiter: Waiter = { begin: () => undefined, given: false }
      enqueue(key, line, waiter)
      return Effect.as(wait(key, line, waiter, restore), line)
    })

  return {
    counts,
    run: (key, effect) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(take(key, restore), (line) =>
          Effect.onExit(restore(effect), () => end(key, line))
        )
      )
  }
}
