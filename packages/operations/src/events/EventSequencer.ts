/** Gives events their positions, a moment after their commit, so that writers never wait. */
import { runFor } from "../requests/TenantBatch.ts"
import { EventFeedRepo } from "@quittance/persistence/events/EventFeedRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Context, Effect, Layer } from "effect"
import type { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"

/** How many events one transaction places. */
const batchSize = 2000

/** What a batch or a round did. */
export interface Sequenced {
  readonly events: number
  /** Whether more may wait. */
  readonly more: boolean
}

export class EventSequencer extends Context.Service<
  EventSequencer,
  {
    /** Places one batch; nothing where another sequencer works for the tenant. */
    readonly sequenceBatch: Effect.Effect<Sequenced, never, CurrentTenant>
    /**
     * One batch of each tenant with events that wait. What fails for one tenant is logged and holds up no
     * other.
     */
    readonly round: Effect.Effect<Sequenced>
  }
>()("@quittance/operations/EventSequencer") {
  static readonly layer = Layer.effect(
    EventSequencer,
    Effect.gen(function* () {
      const feed = yield* EventFeedRepo
      const tenantSql = yield* TenantSql

      const sequenceBatch = Effect.gen(function* () {
        if (!(yield* feed.lock)) return { events: 0, more: false }
        const events = yield* feed.sequence(batchSize)
        return { events, more: events === batchSize }
      }).pipe(tenantSql.transaction, Effect.withSpan("EventSequencer.sequenceBatch"))

      const sequenceFor = (tenantId: TenantId) =>
        runFor(tenantId, sequenceBatch, {
          message: "Events could not be placed",
          answer: { events: 0, more: false }
        })

      const round = Effect.gen(function* () {
        const done = yield* Effect.forEach(yield* feed.waiting, sequenceFor)
        return {
          events: done.reduce((sum, { events }) => sum + events, 0),
          more: done.some(({ more }) => more)
        }
      }).pipe(Effect.withSpan("EventSequencer.round"))

      return EventSequencer.of({ sequenceBatch, round })
    })
  ).pipe(Layer.provide(EventFeedRepo.layer))
}
