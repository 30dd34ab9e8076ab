import { maxLifetime } from "@quittance/auth/AccessToken"
import type { Instant } from "@quittance/domain/values/Instant"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { toDate } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** What of the tokens that have not expired no longer counts. */
export class RevocationsRepo extends Context.Service<
  RevocationsRepo,
  {
    /** Revokes one access token. */
    revoke(jti: string, expiresAt: Instant): Effect.Effect<void, never, CurrentTenant>
    /** Revokes all access tokens that a key has signed. */
    revokeKey(kid: string): Effect.Effect<void, never, CurrentTenant>
    /**
     * The `jti` of revoked tokens, the `kid` of revoked keys, the families and sessions that were revoked, the users and clients
     * that were disabled: short, since nothing is in it longer than a token can live.
     */
    readonly withdrawn: Effect.Effect<ReadonlySet<string>, never, CurrentTenant>
  }
>()("@quittance/persistence/RevocationsRepo") {
  static readonly layer = Layer.effect(
    RevocationsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const revoke = Effect.fn("RevocationsRepo.revoke")(function* (
        jti: string,
        expiresAt: Instant
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          DELETE FROM revoked_token WHERE tenant_id = ${tenantId}
            AND expires_at < clock_timestamp() - interval '1 hour'
        `)
        yield* tenantSql.write(sql`
          INSERT INTO revoked_token (tenant_id, jti, expires_at)
          VALUES (${tenantId}, ${jti}, ${toDate(expiresAt)})
          ON CONFLICT DO NOTHING
        `)
      }, Effect.orDie)

      const revokeKey = Effect.fn("RevocationsRepo.revokeKey")(function* (kid: string) {
        const tenantId = yield* CurrentTenant
        // No jti looks like a kid, so they share the list. No token is valid for longer.
        yield* tenantSql.write(sql`
          INSERT INTO revoked_token (tenant_id, jti, expires_at)
          VALUES (${tenantId}, ${kid},
            clock_timestamp() + ${maxLifetime}::int * interval '1 second')
          ON CONFLICT DO NOTHING
        `)
      }, Effect.orDie)

      const withdrawn = Effect.gen(function* () {
        const tenantId = yield* CurrentTenant
        const since = sql`clock_timestamp() - ${maxLifetime}::int * interval '1 second'`
        // An expired token is still accepted for the ten seconds by which clocks may differ.
        const now = sql`clock_timestamp() - interval '1 minute'`
        const rows = yield* tenantSql.read(sql<{ id: string }>`
          SELECT jti AS id FROM revoked_token WHERE tenant_id = ${tenantId} AND expires_at > ${now}
          UNION ALL
          SELECT id FROM refresh_family WHERE tenant_id = ${tenantId} AND revoked_at > ${since}
          UNION ALL
          SELECT id FROM anonymous_session
          WHERE tenant_id = ${tenantId} AND revoked_at IS NOT NULL AND expires_at > ${now}
          UNION ALL
          SELECT id FROM app_user WHERE tenant_id = ${tenantId} AND disabled_at > ${since}
          UNION ALL
          SELECT id FROM client WHERE tenant_id = ${tenantId} AND disabled_at > ${since}
        `)
        return new Set(rows.map(({ id }) => id))
      }).pipe(Effect.orDie, Effect.withSpan("RevocationsRepo.withdrawn"))

      return RevocationsRepo.of({ revoke, revokeKey, withdrawn })
    })
  )
}
