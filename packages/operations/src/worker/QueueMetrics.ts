/**
 * What waits in the database, over all tenants, as metrics: work that is due, letters, rows of the audit
 * trail, events, how far consumers are behind, and what receivers of webhooks lack. Nothing in them says
 * whose it is.
 */
import { gauge, measureBefore } from "@quittance/domain/telemetry/Series"
import { type Backlog, DueRepo } from "@quittance/persistence/policies/DueRepo"
import { type Queue, QueuesRepo } from "@quittance/persistence/worker/QueuesRepo"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { Context, Duration, Effect, Layer, Metric } from "effect"
import { CurrentTenant, type TenantId } from "@quittance/domain/requests/Tenancy"

const backlog = gauge("backlog", {})
const oldest = gauge("oldestDue", {})
const parked = gauge("parked", {})
const failedLetters = gauge("failedLetters", {})
const deadEvents = gauge("deadEvents", {})

/** How late what waits may be told, so that asking often costs the database next to nothing. */
const knownFor = Duration.seconds(5)
const tenantsAtOnce = 4

export class QueueMetrics extends Context.Service<
  QueueMetrics,
  {
    /** Measures what waits, over all tenants; it does not touch the metrics where the database is away. */
    readonly measure: Effect.Effect<void>
  }
>()("@quittance/operations/QueueMetrics") {
  /** Measures before the metrics of the process are read, at most every five seconds. */
  static readonly layer = Layer.effect(
    QueueMetrics,
    Effect.gen(function* () {
      const due = yield* DueRepo
      const queues = yield* QueuesRepo
      const tenants = yield* TenantsRepo

      const ofEach = <A>(
        ids: ReadonlyArray<TenantId>,
        effect: Effect.Effect<A, never, CurrentTenant>
      ) =>
        Effect.forEach(ids, (id) => Effect.provideService(effect, CurrentTenant, id), {
          concurrency: tenantsAtOnce
        })

      const dueSteps = Effect.gen(function* () {
        const all = yield* ofEach(
          (yield* tenants.list).map(({ id }) => id),
          due.backlog
        )
        const { due: waiting, oldestSeconds, parked: aside } = total(all)
        yield* Metric.update(backlog, waiting)
        yield* Metric.update(oldest, oldestSeconds)
        yield* Metric.update(parked, aside)
      })

      const letters = Effect.gen(function* () {
        const { failed, ...waiting } = yield* queues.letters
        yield* Metric.update(failedLetters, failed)
        yield* show("letters", [waiting])
      })

      const events = Effect.gen(function* () {
        yield* show("events", yield* ofEach(yield* queues.tenantsOfEvents, queues.events))
        yield* Effect.forEach(yield* queues.lags, ({ consumer, events }) =>
          Metric.update(gauge("consumerLag", { consumer }), events)
        )
      })

      const webhooks = Effect.gen(function* () {
        yield* show("webhooks", [yield* queues.webhooks])
        const dead = yield* ofEach(yield* queues.tenantsOfWebhooks, queues.dead)
        yield* Metric.update(
          deadEvents,
          dead.reduce((sum, count) => sum + count, 0)
        )
      })

      const audit = Effect.gen(function* () {
        yield* show("audit", yield* ofEach(yield* queues.tenantsOfAudit, queues.audit))
      })

      const measured = Effect.all([dueSteps, letters, events, webhooks, audit], {
        discard: true
      }).pipe(
        Effect.catchCause((cause) => Effect.logDebug("What waits can't be measured", cause)),
        Effect.withSpan("QueueMetrics.measure")
      )
      const measure = yield* Effect.cachedWithTTL(measured, knownFor)
      yield* measureBefore(measure)
      return QueueMetrics.of({ measure })
    })
  ).pipe(Layer.provide([DueRepo.layer, QueuesRepo.layer, TenantsRepo.layer]))
}

const show = (queue: "audit" | "events" | "letters" | "webhooks", all: ReadonlyArray<Queue>) =>
  Effect.andThen(
    Metric.update(
      gauge("queueWaiting", { queue }),
      all.reduce((sum, { waiting }) => sum + waiting, 0)
    ),
    Metric.update(
      gauge("queueOldest", { queue }),
      all.reduce((longest, { oldestSeconds }) => Math.max(longest, oldestSeconds), 0)
    )
  )

const total = (all: ReadonlyArray<Backlog>): Backlog =>
  all.reduce(
    (a, b) => ({
      due: a.due + b.due,
      oldestSeconds: Math.max(a.oldestSeconds, b.oldestSeconds),
      parked: a.parked + b.parked
    }),
    { due: 0, oldestSeconds: 0, parked: 0 }
  )
