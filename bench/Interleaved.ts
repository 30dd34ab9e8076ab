/**
 * Compares ways to do one thing on whatever machine this is: they take turns in short rounds, in
 * another order each time, and what counts is the median of each round's own ratio. A neighbour who
 * takes the processor for a while slows both sides of a ratio.
 */
import { Effect } from "effect"
import { sized } from "./Smoke.ts"

/** A bar that holds on every machine, since both sides of the ratio were measured on it. */
export interface Bar {
  readonly what: string
  readonly ratio: number
  readonly limit: number
  /** What `micros` counts, where it isn't microseconds. */
  readonly unit?: "MB" | "×"
  /** Median microseconds per operation: of the baseline, and of what is measured. */
  readonly micros: readonly [baseline: number, subject: number]
}

export interface Options {
  readonly rounds: number
  readonly operationsPerRound: number
  /** How many operations are under way at once; 1 measures latency, more measure throughput. */
  readonly concurrency: number
}

/** Measures `subject` against `baseline`; the first rounds warm up and do not count. */
export const compare = Effect.fn("Interleaved.compare")(function* <E, R>(
  what: string,
  limit: number,
  baseline: (turn: number) => Effect.Effect<unknown, E, R>,
  subject: (turn: number) => Effect.Effect<unknown, E, R>,
  options: Options
) {
  const rounds: Array<readonly [baseline: number, subject: number]> = []
  const times = {
    ...options,
    rounds: sized(options.rounds, 1),
    operationsPerRound: sized(options.operationsPerRound, Math.min(options.operationsPerRound, 10))
  }
  for (let round = -warmUp; round < times.rounds; round++) {
    const order = round % 2 === 0 ? [baseline, subject] : [subject, baseline]
    const first = yield* time(order[0]!, times)
    const second = yield* time(order[1]!, times)
    if (round >= 0) rounds.push(round % 2 === 0 ? [first, second] : [second, first])
  }
  return {
    what,
    limit,
    ratio: median(rounds.map(([before, after]) => after / before)),
    micros: [median(rounds.map(([before]) => before)), median(rounds.map(([, after]) => after))]
  } satisfies Bar
})

const warmUp = sized(3, 0)

const time = <E, R>(
  operation: (turn: number) => Effect.Effect<unknown, E, R>,
  { concurrency, operationsPerRound }: Options
) =>
  Effect.suspend(() => {
    const started = performance.now()
    const turns = Array.from({ length: operationsPerRound }, (_, turn) => turn)
    return Effect.forEach(turns, operation, { concurrency, discard: true }).pipe(
      Effect.map(() => ((performance.now() - started) * 1000) / operationsPerRound)
    )
  })

/** The middle of a list, the mean of the two middles of an even one. */
export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2
}
