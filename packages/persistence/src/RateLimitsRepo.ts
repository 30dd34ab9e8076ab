import type { RateLimit } from "@quittance/domain/RateLimit"
import { CurrentTenant } from "@quittance/domain/Tenant"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TenantSql } from "./TenantSql.ts"

/** How a bucket stands. */
export interface Standing {
  readonly allowed: boolean
  readonly remaining: number
  /** Seconds until the window ends. */
  readonly reset: number
}

/**
 * Counters shared by all instances. A window starts with the first hit and lasts its whole length in
 * real time, so "100 an hour" is literal; a bucket that refills would let the 101st in after 36 s.
 */
export class RateLimitsRepo extends Context.Service<
  RateLimitsRepo,
  {
    /** Counts a hit, exactly, however many come at once. */
    hit(bucket: string, limit: RateLimit): Effect.Effect<Standing, never, CurrentTenant>
    /** Whether a hit would be allowed now, without counting one. */
    peek(bucket: string, limit: RateLimit): Effect.Effect<Standing, never, CurrentTenant>
    /** Takes back a hit that was counted in advance. */
    refund(bucket: string): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/RateLimitsRepo") {
  static readonly layer = Layer.effect(
    RateLimitsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const reset = sql`greatest(ceil(extract(epoch FROM ends_at - clock_timestamp())), 1)::int`

      const hit = Effect.fn("RateLimitsRepo.hit")(function* (
        bucket: string,
        { limit, windowSeconds }: RateLimit
      ) {
        const tenantId = yield* CurrentTenant
        // `excluded.ends_at` is one reading of the clock for both columns: with two, a hit at the very
        // end could open a new window with the old count. Beyond the limit the count stands still.
        const [row] = yield* tenantSql.write(sql<{ count: number; reset: number }>`
          INSERT INTO rate_limit AS r (tenant_id, bucket, count, ends_at)
          VALUES (${tenantId}, ${bucket}, 1,
            clock_timestamp() + ${windowSeconds}::int * interval '1 second')
          ON CONFLICT (tenant_id, bucket) DO UPDATE SET
            count = CASE WHEN r.ends_at <= excluded.ends_at - ${windowSeconds}::int * interval '1 second'
              THEN 1 ELSE least(r.count, ${limit}::int) + 1 END,
            ends_at = CASE WHEN r.ends_at <= excluded.ends_at - ${windowSeconds}::int * interval '1 second'
              THEN excluded.ends_at ELSE r.ends_at END
          RETURNING count, ${reset} AS reset
        `)
        if (row!.count === 1) yield* sweep(tenantId)
        return standing(row!.count, row!.reset, limit)
      }, Effect.orDie)

      /** Each window that opens takes two that are over along, so the table does not grow. */
      const sweep = (tenantId: string) =>
        tenantSql.write(sql`
          DELETE FROM rate_limit WHERE tenant_id = ${tenantId} AND bucket IN (
            SELECT bucket FROM rate_limit
            WHERE tenant_id = ${tenantId} AND ends_at <= clock_timestamp()
            ORDER BY ends_at LIMIT 2 FOR UPDATE SKIP LOCKED
          )
        `)

      const peek = Effect.fn("RateLimitsRepo.peek")(function* (
        bucket: string,
        { limit }: RateLimit
      ) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.read(sql<{ count: number; reset: number }>`
          SELECT count, ${reset} AS reset FROM rate_limit
          WHERE tenant_id = ${tenantId} AND bucket = ${bucket} AND ends_at > clock_timestamp()
        `)
        // The hit that is asked about would be one more.
        return standing((row?.count ?? 0) + 1, row?.reset ?? 0, limit)
      }, Effect.orDie)

      const refund = Effect.fn("RateLimitsRepo.refund")(function* (bucket: string) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE rate_limit SET count = count - 1
          WHERE tenant_id = ${tenantId} AND bucket = ${bucket} AND count > 0
        `)
      }, Effect.orDie)

      return RateLimitsRepo.of({ hit, peek, refund })
    })
  )
}

const standing = (count: number, reset: number, limit: number): Standing => ({
  allowed: count <= limit,
  remaining: Math.max(limit - count, 0),
  reset
})
