import type { RateLimit } from "@quittance/domain/RateLimit"
import { CurrentTenant } from "@quittance/domain/Tenant"
import { Config, Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TenantSql } from "./TenantSql.ts"

/** What was asked for and what is left of a bucket. */
export interface Taken {
  /** At most as many as were wanted; none once the limit is used up. */
  readonly granted: number
  /** How many are left for whoever asks next. */
  readonly remaining: number
  /** Milliseconds until the window ends. */
  readonly endsIn: number
}

/**
 * Counters shared by all instances. A window starts with the first unit taken and lasts its whole
 * length in real time, so "100 an hour" is literal; a bucket that refills would let the 101st in
 * after 36 s. However many ask at once, no window grants more than its limit.
 */
export class RateLimitStore extends Context.Service<
  RateLimitStore,
  {
    /**
     * Takes so many units, or those that are left. In PostgreSQL it is part of the transaction around
     * it: what is rolled back was not taken.
     */
    take(
      bucket: string,
      limit: RateLimit,
      wanted: number
    ): Effect.Effect<Taken, never, CurrentTenant>
    /**
     * Takes units that an instance keeps, to hand them out by itself. A defect in a transaction: after
     * a rollback others would be granted them once more.
     */
    lease(
      bucket: string,
      limit: RateLimit,
      wanted: number
    ): Effect.Effect<Taken, never, CurrentTenant>
    /** Gives one unit back that was taken in advance. */
    giveBack(bucket: string): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/RateLimitStore") {
  /** In the table `rate_limit`. */
  static readonly layerPostgres = Layer.effect(
    RateLimitStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const take = Effect.fn("RateLimitStore.take")(function* (
        bucket: string,
        { limit, windowSeconds }: RateLimit,
        wanted: number
      ) {
        const tenantId = yield* CurrentTenant
        const first = Math.min(wanted, limit)
        // `excluded.ends_at` is one reading of the clock for all columns: with two, a hit at the very
        // end could open a new window with the old count.
        const length = sql`${windowSeconds}::int * interval '1 second'`
        const isOver = sql`r.ends_at <= excluded.ends_at - ${length}`
        const more = sql`greatest(least(${wanted}::int, ${limit}::int - r.count), 0)`
        const [row] = yield* tenantSql.write(sql<Omit<Taken, "remaining"> & { count: number }>`
          INSERT INTO rate_limit AS r (tenant_id, bucket, count, granted, ends_at)
          VALUES (${tenantId}, ${bucket}, ${first}, ${first}, clock_timestamp() + ${length})
          ON CONFLICT (tenant_id, bucket) DO UPDATE SET
            count = CASE WHEN ${isOver} THEN excluded.count ELSE r.count + ${more} END,
            granted = CASE WHEN ${isOver} THEN excluded.count ELSE ${more} END,
            ends_at = CASE WHEN ${isOver} THEN excluded.ends_at ELSE r.ends_at END
          RETURNING count, granted,
            greatest(floor(extract(epoch FROM ends_at - clock_timestamp()) * 1000), 0)::int AS ends_in
        `)
        const { count, endsIn, granted } = row!
        if (count === granted) yield* sweep(tenantId)
        const taken: Taken = { granted, remaining: Math.max(limit - count, 0), endsIn }
        return taken
      })

      /** Each window that opens takes two that are over along, so the table does not grow. */
      const sweep = (tenantId: string) =>
        tenantSql.write(sql`
          DELETE FROM rate_limit WHERE tenant_id = ${tenantId} AND bucket IN (
            SELECT bucket FROM rate_limit
            WHERE tenant_id = ${tenantId} AND ends_at <= clock_timestamp()
            ORDER BY ends_at LIMIT 2 FOR UPDATE SKIP LOCKED
          )
        `)

      const giveBack = Effect.fn("RateLimitStore.giveBack")(function* (bucket: string) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE rate_limit SET count = count - 1
          WHERE tenant_id = ${tenantId} AND bucket = ${bucket} AND count > 0
        `)
      })

      return RateLimitStore.of({
        take: (bucket, limit, wanted) => tenantSql.transaction(take(bucket, limit, wanted)),
        lease: (bucket, limit, wanted) =>
          Effect.contextWith((context: Context.Context<CurrentTenant>) =>
            Option.isSome(Context.getOption(context, sql.transactionService))
              ? Effect.die(new Error("RateLimitStore: a lease can't be part of a transaction"))
              : tenantSql.transaction(take(bucket, limit, wanted))
          ),
        giveBack: (bucket) => tenantSql.transaction(giveBack(bucket))
      })
    })
  )

  /** In the Redis of `REDIS_URL` when it is set, else in PostgreSQL. */
  static readonly layer = Layer.unwrap(
    Effect.gen(function* () {
      const url = yield* Config.option(Config.schema(Schema.Redacted(RedisUrl), "REDIS_URL"))
      if (Option.isNone(url)) return RateLimitStore.layerPostgres
      // Only who uses Redis loads its client.
      const { layer } = yield* Effect.promise(() => import("./RedisRateLimits.ts"))
      return layer(url.value)
    })
  )
}

const RedisUrl = Schema.String.check(
  Schema.isPattern(/^rediss?:\/\/[^\s/]+\S*$/u, {
    message: "Expected an address such as redis://localhost:6379"
  })
)
