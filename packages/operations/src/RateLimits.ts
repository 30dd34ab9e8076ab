import { type RateLimit, RateLimited } from "@quittance/domain/RateLimit"
import type { CurrentTenant } from "@quittance/domain/Tenant"
import { RateLimitsRepo, type Standing } from "@quittance/persistence/RateLimitsRepo"
import { TenantSql } from "@quittance/persistence/TenantSql"
import { Context, Effect, Layer } from "effect"

/** Limits that all instances share. A bucket names what is counted and for whom, within the tenant. */
export class RateLimits extends Context.Service<
  RateLimits,
  {
    /** Counts one, or fails when there is none left. */
    take(bucket: string, limit: RateLimit): Effect.Effect<void, RateLimited, CurrentTenant>
    /** Fails when there is none left, and counts nothing. */
    check(bucket: string, limit: RateLimit): Effect.Effect<void, RateLimited, CurrentTenant>
    /** Gives back one that was taken in advance. */
    giveBack(bucket: string): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/operations/RateLimits") {
  static readonly layer = Layer.effect(
    RateLimits,
    Effect.gen(function* () {
      const tenantSql = yield* TenantSql
      const repo = yield* RateLimitsRepo
      return RateLimits.of({
        take: (bucket, limit) =>
          Effect.flatMap(tenantSql.transaction(repo.hit(bucket, limit)), allow(limit)),
        check: (bucket, limit) => Effect.flatMap(repo.peek(bucket, limit), allow(limit)),
        giveBack: (bucket) => tenantSql.transaction(repo.refund(bucket))
      })
    })
  ).pipe(Layer.provide(RateLimitsRepo.layer))
}

const allow =
  ({ limit }: RateLimit) =>
  ({ allowed, remaining, reset }: Standing) =>
    allowed
      ? Effect.void
      : Effect.fail(new RateLimited({ retryAfter: reset, limit, remaining, reset }))
