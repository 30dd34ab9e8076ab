/** Telling a client what a token is worth now (RFC 7662). */
import type { Claims } from "@quittance/auth/Claims"
import * as Secret from "@quittance/auth/Secret"
import { toEpochMillis } from "@quittance/domain/values/Instant"
import { CurrentTenant } from "@quittance/domain/tenants/Tenant"
import type { Introspection } from "@quittance/domain/tokens/Token"
import { RefreshTokensRepo } from "@quittance/persistence/tokens/RefreshTokensRepo"
import { Context, Effect, Layer, Redacted } from "effect"
import { AccessTokens } from "../tokens/AccessTokens.ts"
import { Issuers } from "../tokens/Issuers.ts"

export class AuthorizationServerIntrospection extends Context.Service<
  AuthorizationServerIntrospection,
  {
    /**
     * What an access token or refresh token of the current tenant is worth now: it asks the database,
     * so a token that was revoked a moment ago is told from one that was not.
     */
    introspect(token: Redacted.Redacted): Effect.Effect<Introspection, never, CurrentTenant>
  }
>()("@quittance/operations/AuthorizationServerIntrospection") {
  static readonly layer = Layer.effect(
    AuthorizationServerIntrospection,
    Effect.gen(function* () {
      const accessTokens = yield* AccessTokens
      const refreshTokens = yield* RefreshTokensRepo
      const issuers = yield* Issuers

      const ofAccess = (token: Redacted.Redacted) =>
        accessTokens.forget.pipe(
          Effect.andThen(accessTokens.claims(token)),
          Effect.map(describe),
          Effect.catchTag("Unauthorized", () => Effect.succeed(inactive))
        )

      const ofRefresh = Effect.fnUntraced(function* (token: Redacted.Redacted) {
        const found = yield* refreshTokens.find(Secret.hash(Redacted.value(token)))
        if (found === undefined) return inactive
        const tenant = yield* CurrentTenant
        const answer: Introspection = {
          active: true,
          iss: issuers.of(tenant),
          sub: found.userId,
          client_id: found.clientId,
          tenant,
          kind: "user",
          iat: Math.floor(toEpochMillis(found.createdAt) / 1000),
          exp: Math.floor(toEpochMillis(found.expiresAt) / 1000)
        }
        return answer
      })

      const introspect = Effect.fn("AuthorizationServerIntrospection.introspect")(
        (token: Redacted.Redacted) =>
          Redacted.value(token).includes(".") ? ofAccess(token) : ofRefresh(token)
      )

      return AuthorizationServerIntrospection.of({ introspect })
    })
  ).pipe(Layer.provide([AccessTokens.layer, RefreshTokensRepo.layer]))
}

const inactive: Introspection = { active: false }

const describe = (claims: Claims): Introspection => {
  const { aud, client_id, exp, iat, iss, jti, kind, sub, tenant } = claims
  return {
    active: true,
    token_type: "Bearer",
    iss,
    sub,
    client_id,
    tenant,
    kind,
    iat,
    exp,
    aud,
    jti,
    ...(claims.kind === "client" && { scope: claims.scope })
  }
}
