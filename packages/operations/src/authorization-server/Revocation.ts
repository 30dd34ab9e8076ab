/** Giving tokens back (RFC 7009). */
import * as Secret from "@quittance/auth/Secret"
import type { Client } from "@quittance/domain/access/Client"
import { fromEpochMillis } from "@quittance/domain/values/Instant"
import { RefreshTokensRepo } from "@quittance/persistence/tokens/RefreshTokensRepo"
import { RevocationsRepo } from "@quittance/persistence/tokens/RevocationsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Context, Effect, Layer, Redacted } from "effect"
import { AccessTokens } from "../tokens/AccessTokens.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

export class AuthorizationServerRevocation extends Context.Service<
  AuthorizationServerRevocation,
  {
    /**
     * Revokes a token that the client holds: an access token alone, a refresh token with its whole
     * sign-in. Any other text has no effect, and the client is not told.
     */
    revoke(client: Client, token: Redacted.Redacted): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/operations/AuthorizationServerRevocation") {
  static readonly layer = Layer.effect(
    AuthorizationServerRevocation,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const tenantSql = yield* TenantSql
      const accessTokens = yield* AccessTokens
      const refreshTokens = yield* RefreshTokensRepo
      const revocations = yield* RevocationsRepo

      const revokeAccess = Effect.fnUntraced(
        function* (client: Client, token: Redacted.Redacted) {
          const { client_id, exp, jti } = yield* accessTokens.claims(token)
          if (client_id !== client.id) return
          const revoked = revocations.revoke(jti, fromEpochMillis(exp * 1000))
          const recorded = audit.recordBy(
            { kind: "CLIENT", id: client.id },
            { action: "token.revoke", recordId: jti }
          )
          yield* tenantSql.transaction(Effect.andThen(revoked, recorded))
        },
        Effect.catchTag("Unauthorized", () => Effect.void)
      )

      const revokeSignIn = Effect.fnUntraced(function* (client: Client, tokenHash: Uint8Array) {
        const userId = yield* refreshTokens.revokeOf(client.id, tokenHash)
        if (userId === undefined) return
        yield* audit.recordBy(
          { kind: "CLIENT", id: client.id },
          { action: "user.signIn.end", recordId: userId, detail: { reason: "REVOKED" } }
        )
      })

      const revoke = Effect.fn("AuthorizationServerRevocation.revoke")(function* (
        client: Client,
        token: Redacted.Redacted
      ) {
        const text = Redacted.value(token)
        yield* text.includes(".")
          ? revokeAccess(client, token)
          : tenantSql.transaction(revokeSignIn(client, Secret.hash(text)))
        // Other instances see it within a second; this one has just been told.
        yield* accessTokens.forget
      })

      return AuthorizationServerRevocation.of({ revoke })
    })
  ).pipe(
    Layer.provide([
      AccessTokens.layer,
      AuditTrail.layer,
      RefreshTokensRepo.layer,
      RevocationsRepo.layer
    ])
  )
}
