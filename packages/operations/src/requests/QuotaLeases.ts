/**
 * Limits without asking the store each time: an instance leases units of a bucket's window and hands
 * them out by itself. A unit is leased once, so all instances together never grant more than the limit.
 *
 * A lease is one unit at first and twice the last one whenever that is spent, so a bucket costs an
 * instance few questions however much it is used, and no instance holds more than it has used: when the
 * first request is refused, at least half of the limit was granted, over however many instances.
 */
import type { RateLimit, RateLimited } from "@quittance/domain/requests/RateLimit"
import { RateLimitStore } from "@quittance/persistence/requests/RateLimitStore"
import { Context, Deferred, Effect, Layer } from "effect"
import { monotonicMillis } from "../values/MonotonicClock.ts"
import { refusal } from "./RateLimits.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** Buckets that an instance remembers; of one that it forgets it leases again. */
const remembered = 50_000

export class QuotaLeases extends Context.Service<
  QuotaLeases,
  {
    /**
     * Spends one unit, or fails when there is none left. It can't be rolled back: outside of transactions
     * only.
     */
    spend(bucket: string, limit: RateLimit): Effect.Effect<void, RateLimited, CurrentTenant>
    /** Fails when this instance knows that none is left; makes no query, and spends nothing. */
    check(bucket: string, limit: RateLimit): Effect.Effect<void, RateLimited, CurrentTenant>
  }
>()("@quittance/operations/QuotaLeases") {
  static readonly layer = Layer.effect(
    QuotaLeases,
    Effect.gen(function* () {
      const store = yield* RateLimitStore
      // In the order in which they were leased, which is about that in which they end.
      const leases = new Map<string, Lease>()
      const renewals = new Map<string, Renewal>()

      /** The lease of a bucket whose window has not ended. */
      const present = (key: string, now: number): Lease | undefined => {
        const lease = leases.get(key)
        return lease !== undefined && now < lease.endsAt ? lease : undefined
      }

      const remember = (key: string, lease: Lease, now: number) => {
        leases.delete(key)
        leases.set(key, lease)
        // Each that comes takes two that are over along, or the oldest if there are too many.
        let others = 2
        for (const [oldest, { endsAt }] of leases) {
          if (others-- === 0 || (now < endsAt && leases.size <= remembered)) return
          leases.delete(oldest)
        }
      }

      /** Leases again. The first unit is whose request asked, however long the answer took. */
      const ask = Effect.fnUntraced(function* (
        key: string,
        bucket: string,
        limit: RateLimit,
        renewal: Renewal
      ) {
        // Read before the question, so that the lease ends here before its window does in the store;
        // a millisecond earlier, since clocks that count them round.
        const asked = yield* monotonicMillis
        const last = present(key, asked)
        const wanted = last === undefined ? 1 : Math.max(2 * last.size, last.waiting)
        const { endsIn, granted, remaining } = yield* store.lease(bucket, limit, wanted)
        const { waiting } = renewal
        const left = Math.max(granted - 1, 0)
        const endsAt = asked + endsIn - 1
        remember(key, { left, size: granted, remaining, waiting, endsAt }, asked)
        if (granted === 0) return yield* refusal(limit, remaining, endsIn)
      })

      /** One question at a time for each bucket: who comes meanwhile waits, and then looks again. */
      const renew = (key: string, bucket: string, limit: RateLimit, retry: Spending) =>
        Effect.suspend(() => {
          const renewal = renewals.get(key)
          if (renewal !== undefined) {
            renewal.waiting++
            return Effect.andThen(Deferred.await(renewal.done), retry)
          }
          return Effect.acquireUseRelease(
            Effect.sync(() => {
              const started: Renewal = { done: Deferred.makeUnsafe<void>(), waiting: 0 }
              renewals.set(key, started)
              return started
            }),
            (started) => ask(key, bucket, limit, started),
            ({ done }) => {
              renewals.delete(key)
              return Deferred.succeed(done, undefined)
            }
          )
        })

      const spend = (bucket: string, limit: RateLimit): Spending =>
        Effect.contextWith((context: Context.Context<CurrentTenant>) => {
          const key = `${Context.get(context, CurrentTenant)}\0${bucket}`
          const attempt: Spending = Effect.flatMap(monotonicMillis, (now) => {
            const lease = present(key, now)
            if (lease === undefined) return renew(key, bucket, limit, attempt)
            if (lease.left > 0) {
              lease.left--
              return Effect.void
            }
            return isLast(lease) ? refuse(limit, lease, now) : renew(key, bucket, limit, attempt)
          })
          return attempt
        })

      const check = (bucket: string, limit: RateLimit) =>
        Effect.contextWith((context: Context.Context<CurrentTenant>) =>
          Effect.flatMap(monotonicMillis, (now) => {
            const lease = present(`${Context.get(context, CurrentTenant)}\0${bucket}`, now)
            return lease !== undefined && lease.left === 0 && isLast(lease)
              ? refuse(limit, lease, now)
              : Effect.void
          })
        )

      return QuotaLeases.of({ spend, check })
    })
  )
}

type Spending = Effect.Effect<void, RateLimited, CurrentTenant>

interface Lease {
  /** Units that were not spent yet. */
  left: number
  /** Units that there were. */
  readonly size: number
  /** What the store had left after it. */
  readonly remaining: number
  /** Requests that waited for it, and so for at least as many units. */
  readonly waiting: number
  /** On this instance's monotonic clock, in milliseconds. */
  readonly endsAt: number
}

interface Renewal {
  readonly done: Deferred.Deferred<void>
  waiting: number
}

/** Whether no more will come in the window. */
const isLast = ({ remaining, size }: Lease) => remaining === 0 || size === 0

const refuse = (limit: RateLimit, { endsAt, remaining }: Lease, now: number) =>
  Effect.fail(refusal(limit, remaining, endsAt - now))
