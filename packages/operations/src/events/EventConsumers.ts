/** What follows from events a moment later: consumers, each with a position of its own in every feed. */
import { runFor } from "../requests/TenantBatch.ts"
import { type ConsumerFailures, failedAgain } from "@quittance/domain/events/ConsumerFailures"
import { eventOf, type FeedEvent } from "@quittance/domain/events/Event"
import type { PlacedEvent } from "@quittance/domain/events/EventPage"
import { EventFeedRepo } from "@quittance/persistence/events/EventFeedRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Clock, Context, Effect, Layer, Result } from "effect"
import { EventCauses } from "../requests/EventCauses.ts"
import type { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"

/** How many events a consumer is given in one transaction. */
const batchSize = 500

/** A consumer of all events of all tenants. */
export interface EventConsumer {
  /** Its positions are stored under it: another name begins with the first event. */
  readonly name: string
  /**
   * Takes the next events of the tenant, in order, there is at least one. What it writes commits together
   * with its position: so each event has its effect once. It must not wait for the network; what it dies
   * of is logged, and the same events are given to it again.
   */
  handle(events: ReadonlyArray<FeedEvent>): Effect.Effect<void, never, CurrentTenant>
}

/** What a batch did. */
export interface Consumed {
  readonly events: number
  /** Whether more may wait. */
  readonly more: boolean
}

export class EventConsumers extends Context.Service<
  EventConsumers,
  {
    /** Hands one batch to a consumer; nothing where another program does so for the tenant. */
    consumeBatch(consumer: EventConsumer): Effect.Effect<Consumed, never, CurrentTenant>
    /**
     * One batch of each tenant in which the consumer is behind; whether more may wait. What fails for one
     * tenant is logged and holds up no other: that tenant is left alone for a while, longer each time.
     */
    round(consumer: EventConsumer): Effect.Effect<boolean>
  }
>()("@quittance/operations/EventConsumers") {
  static readonly layer = Layer.effect(
    EventConsumers,
    Effect.gen(function* () {
      const feed = yield* EventFeedRepo
      const tenantSql = yield* TenantSql
      const causes = yield* EventCauses

      const consumed = Effect.fnUntraced(function* ({ handle, name }: EventConsumer) {
        if (!(yield* feed.lockConsumer(name))) return { events: 0, more: false }
        const stored = yield* feed.after(yield* feed.position(name), batchSize)
        const known = yield* knownOf(stored)
        const last = known.at(-1)
        if (last === undefined) return { events: 0, more: false }
        yield* causes.link(known.map(({ id }) => id))
        yield* handle(known)
        yield* feed.move(name, last.position)
        return { events: known.length, more: known.length === batchSize }
      })

      const consumeBatch = Effect.fn("EventConsumers.consumeBatch")(function* (
        consumer: EventConsumer
      ) {
        return yield* Effect.annotateSpans(
          tenantSql.transaction(consumed(consumer)),
          "quittance.consumer",
          consumer.name
        )
      })

      /** By consumer and tenant. Another program begins again. */
      const failures = new Map<string, ConsumerFailures>()

      const batchOf = Effect.fnUntraced(function* (consumer: EventConsumer, tenantId: TenantId) {
        const key = `${consumer.name} ${tenantId}`
        const before = failures.get(key)
        const now = yield* Clock.currentTimeMillis
        if (before !== undefined && now < before.until) return false
        const failed = failedAgain(now, before)
        const batch = consumeBatch(consumer).pipe(
          Effect.tap(() => Effect.sync(() => failures.delete(key))),
          Effect.tapCause(() => Effect.sync(() => failures.set(key, failed))),
          Effect.map(({ more }) => more)
        )
        return yield* runFor(tenantId, batch, {
          message: `${consumer.name} could not take its events, ${failed.count} times in a row`,
          answer: false
        })
      })

      const round = Effect.fn("EventConsumers.round")(function* (consumer: EventConsumer) {
        const done = yield* Effect.forEach(yield* feed.behind(consumer.name), (tenantId) =>
          batchOf(consumer, tenantId)
        )
        return done.includes(true)
      })

      return EventConsumers.of({ consumeBatch, round })
    })
  ).pipe(Layer.provide([EventCauses.layer, EventFeedRepo.layer]))
}

/**
 * The events up to the first of a kind that only a newer release knows: a consumer takes what comes before,
 * and waits there. Dies where that is the first one.
 */
const knownOf = Effect.fnUntraced(function* (stored: ReadonlyArray<PlacedEvent>) {
  const known: Array<FeedEvent> = []
  for (const { position, ...row } of stored) {
    const event = eventOf(row)
    if (Result.isSuccess(event)) known.push({ position, ...event.success })
    else if (known.length === 0) return yield* Effect.die(event.failure)
    else break
  }
  return known
})
