import type { RateLimit } from "@quittance/domain/requests/RateLimit"
import { Config, Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { takesNoWrites } from "../sql/DatabaseFailure.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** What was asked for and what is left of a bucket. */
export interface Taken {
  /** At most as many as were wanted; none once the limit is used up. */
  readonly granted: number
  /** How many are left for the next caller. */
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
     * a rollback others would be granted them once more. While PostgreSQL takes no writes each instance
     * is given a whole window, since what needs no write goes on.
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

      /** One statement, by itself or as part of the transaction around it. */
      const take = Effect.fn("RateLimitStore.take")(function* (
        bucket: string,
        { limit, windowSeconds }: RateLimit,
        wanted: number
      ) {
        const tenantId = yield* CurrentTenant
        const [taken] = yield* tenantSql.read(sql<Taken>`
          SELECT * FROM take_rate_limit(${tenantId}, ${bucket}, ${wanted}, ${limit}, ${windowSeconds})
        `)
        return taken!
      }, Effect.orDie)

      const giveBack = Effect.fn("RateLimitStore.giveBack")(function* (bucket: string) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE rate_limit SET count = count - 1
          WHERE tenant_id = ${tenantId} AND bucket = ${bucket} AND count > 0
        `)
      })

      return RateLimitStore.of({
        take,
        lease: (bucket, limit, wanted) =>
          Effect.contextWith((context: Context.Context<CurrentTenant>) =>
            Option.isSome(Context.getOption(context, sql.transactionService))
              ? Effect.die(new Error("RateLimitStore: a lease can't be part of a transaction"))
              : Effect.catchDefect(take(bucket, limit, wanted), (defect) =>
                  takesNoWrites(defect) ? Effect.succeed(uncounted(limit)) : Effect.die(defect)
                )
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

/** All of a window, for one instance alone. */
const uncounted = ({ limit, windowSeconds }: RateLimit): Taken => ({
  granted: limit,
  remaining: 0,
  endsIn: windowSeconds * 1000
})

const RedisUrl = Schema.String.check(
  Schema.isPattern(/^rediss?:\/\/[^\s/]+\S*$/u, {
    message: "Expected an address such as redis://localhost:6379"
  })
)
