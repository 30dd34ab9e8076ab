/** What the jobs of a process do, as metrics. */
import { counter, gauge, histogram } from "@quittance/domain/telemetry/Series"
import { Clock, Effect, Exit, Metric } from "effect"
import type { JobCounts } from "@quittance/domain/billing/Job"

/** Counts what a batch of the worker ran. */
export const countRan = (ran: JobCounts): Effect.Effect<void> =>
  Effect.forEach(
    Object.entries(ran),
    ([job, count]) => Metric.update(counter("steps", { job }), count),
    { discard: true }
  )

/** Counts a batch of the worker that failed. */
export const countFailure: Effect.Effect<void> = Metric.update(counter("failedBatches", {}), 1)

/** Counts the rounds of a job, how long they take, and when one last succeeded. */
export const counted = (job: string) => {
  const duration = histogram("jobDuration", { job })
  const done = counter("jobRounds", { job, outcome: "done" })
  const failed = counter("jobRounds", { job, outcome: "failed" })
  const lastSuccess = gauge("jobLastSuccess", { job })

  return <A, E, R>(round: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(Clock.currentTimeMillis, (begun) =>
      Effect.onExit(
        round,
        Effect.fnUntraced(function* (exit) {
          const now = yield* Clock.currentTimeMillis
          yield* Metric.update(duration, (now - begun) / 1000)
          yield* Metric.update(Exit.isSuccess(exit) ? done : failed, 1)
          if (Exit.isSuccess(exit)) yield* Metric.update(lastSuccess, now / 1000)
        })
      )
    )
}
