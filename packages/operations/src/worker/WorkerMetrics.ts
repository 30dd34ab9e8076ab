/** What the worker has done and what waits for it, as metrics; nothing in them says whose it is. */
import { type Backlog, DueRepo } from "@quittance/persistence/policies/DueRepo"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { Context, Duration, Effect, Layer, Metric } from "effect"
import type { JobCounts } from "@quittance/domain/billing/Job"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const backlog = Metric.gauge("quittance_billing_backlog", {
  description: "Policies that are due and that nobody has looked at yet."
})
const oldest = Metric.gauge("quittance_billing_oldest_due_seconds", {
  description: "For how long the first of them has been due."
})
const parked = Metric.gauge("quittance_billing_parked", {
  description: "Policies, and offers of policies, that were set aside for people."
})
const steps = Metric.counter("quittance_billing_steps_total", {
  description: "Steps that this process has taken, by job; their rate is the worker's.",
  incremental: true
})
const failures = Metric.counter("quittance_billing_failed_batches_total", {
  description: "Batches of this process that failed and are tried again.",
  incremental: true
})

/** Counts what a batch ran. */
export const countRan = (ran: JobCounts): Effect.Effect<void> =>
  Effect.forEach(
    Object.entries(ran),
    ([job, count]) => Metric.update(Metric.withAttributes(steps, { job }), count),
    { discard: true }
  )

/** Counts a batch that failed. */
export const countFailure: Effect.Effect<void> = Metric.update(failures, 1)

/** How late what waits may be told, so that asking often costs the database next to nothing. */
const knownFor = Duration.seconds(5)
const tenantsAtOnce = 4

export class WorkerMetrics extends Context.Service<
  WorkerMetrics,
  {
    /** Measures what waits, over all tenants. */
    readonly measure: Effect.Effect<void>
  }
>()("@quittance/operations/WorkerMetrics") {
  static readonly layer = Layer.effect(
    WorkerMetrics,
    Effect.gen(function* () {
      const due = yield* DueRepo
      const tenants = yield* TenantsRepo

      const measured = Effect.gen(function* () {
        const all = yield* Effect.forEach(
          yield* tenants.list,
          ({ id }) => Effect.provideService(due.backlog, CurrentTenant, id),
          { concurrency: tenantsAtOnce }
        )
        const { due: waiting, oldestSeconds, parked: aside } = total(all)
        yield* Metric.update(backlog, waiting)
        yield* Metric.update(oldest, oldestSeconds)
        yield* Metric.update(parked, aside)
      }).pipe(Effect.withSpan("WorkerMetrics.measure"))

      return WorkerMetrics.of({ measure: yield* Effect.cachedWithTTL(measured, knownFor) })
    })
  ).pipe(Layer.provide([DueRepo.layer, TenantsRepo.layer]))
}

const total = (all: ReadonlyArray<Backlog>): Backlog =>
  all.reduce(
    (a, b) => ({
      due: a.due + b.due,
      oldestSeconds: Math.max(a.oldestSeconds, b.oldestSeconds),
      parked: a.parked + b.parked
    }),
    { due: 0, oldestSeconds: 0, parked: 0 }
  )
