/**
 * Waits for events to come, without a connection: one query for the heads of all feeds that are waited for
 * serves all waiting requests.
 */
import { CurrentTenant, type TenantId } from "@quittance/domain/requests/Tenancy"
import { EventReadsRepo } from "@quittance/persistence/events/EventReadsRepo"
import { Context, Deferred, Duration, Effect, Latch, Layer } from "effect"

/** How long after its commit an event may go unseen. */
const pause = Duration.millis(100)

/** Requests of one tenant that wait at a time: each holds a turn of the tenant meanwhile. */
const maximumWaiting = 8

interface Waiter {
  readonly tenantId: TenantId
  readonly after: number
  readonly woken: Deferred.Deferred<void>
}

export class FeedWaiting extends Context.Service<
  FeedWaiting,
  {
    /**
     * Ends when the tenant's feed has grown beyond a position, or at once where too many of the tenant
     * wait already; whether there is more to see.
     */
    beyond(after: number): Effect.Effect<boolean, never, CurrentTenant>
  }
>()("@quittance/operations/FeedWaiting") {
  static readonly layer = Layer.effect(
    FeedWaiting,
    Effect.gen(function* () {
      const reads = yield* EventReadsRepo
      const waiters = new Set<Waiter>()
      const hasWaiters = yield* Latch.make(false)

      const look = Effect.gen(function* () {
        const heads = yield* reads.heads([...new Set([...waiters].map(({ tenantId }) => tenantId))])
        for (const { after, tenantId, woken } of waiters) {
          if ((heads.get(tenantId) ?? 0) > after) yield* Deferred.succeed(woken, undefined)
        }
      }).pipe(
        // A database that is away is looked at again: those who wait are answered when their time is over.
        Effect.catchCause((cause) => Effect.logWarning("The feeds could not be looked at", cause))
      )

      yield* Effect.gen(function* () {
        yield* hasWaiters.await
        yield* look
        yield* Effect.sleep(pause)
        yield* hasWaiters.close
        if (waiters.size > 0) yield* hasWaiters.open
      }).pipe(Effect.forever, Effect.forkScoped)

      const enter = (waiter: Waiter) =>
        Effect.andThen(
          Effect.sync(() => waiters.add(waiter)),
          hasWaiters.open
        )
      const leave = (waiter: Waiter) => Effect.sync(() => waiters.delete(waiter))

      const beyond = Effect.fn("FeedWaiting.beyond")(function* (after: number) {
        const tenantId = yield* CurrentTenant
        const others = [...waiters].filter((waiter) => waiter.tenantId === tenantId)
        if (others.length >= maximumWaiting) return false
        const waiter: Waiter = { tenantId, after, woken: yield* Deferred.make<void>() }
        yield* Effect.acquireUseRelease(
          enter(waiter),
          () => Deferred.await(waiter.woken),
          () => leave(waiter)
        )
        return true
      })

      return FeedWaiting.of({ beyond })
    })
  ).pipe(Layer.provide(EventReadsRepo.layer))
}
