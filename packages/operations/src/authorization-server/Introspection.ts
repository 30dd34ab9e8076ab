/** Telling a client what a token is worth now (RFC 7662). */
import type { Claims } from "@quittance/auth/Claims"
import * as Secret from "@quittance/auth/Secret"
import type { Client } from "@quittance/domain/access/Client"
import { toEpochMillis } from "@quittance/domain/values/Instant"
import type { Introspection } from "@quittance/domain/tokens/Token"
import { RefreshTokensRepo } from "@quittance/persistence/tokens/RefreshTokensRepo"
import { Context, Effect, Layer, Redacted } from "effect"
import { AccessTokens } from "../tokens/AccessTokens.ts"
import { idleSeconds } from "../tokens/IdleSignIns.ts"
import { Issuers } from "../tokens/Issuers.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

export class AuthorizationServerIntrospection extends Context.Service<
  AuthorizationServerIntrospection,
  {
    /**
     * What an access token or refresh token that the client was given is worth now: it asks the
     * database, so a token that was revoked a moment ago is told from one that was not. Of any other
     * client's token it says no more than of none (RFC 7662, section 4).
     */
    introspect(
      client: Client,
      token: Redacted.Redacted
    ): Effect.Effect<Introspection, never, CurrentTenant>
  }
>()("@quittance/operations/AuthorizationServerIntrospection") {
  static readonly layer = Layer.effect(
    AuthorizationServerIntrospection,
    Effect.gen(function* () {
      const accessTokens = yield* AccessTokens
      const refreshTokens = yield* RefreshTokensRepo
      const issuers = yield* Issuers
      const idle = yield* idleSeconds

      const ofAccess = (token: Redacted.Redacted) =>
        accessTokens.forget.pipe(
          Effect.andThen(accessTokens.claims(token)),
          Effect.map(describe),
          Effect.catchTag("Unauthorized", () => Effect.succeed(inactive))
        )

      const ofRefresh = Effect.fnUntraced(function* (token: Redacted.Redacted) {
        const found = yield* refreshTokens.find(Secret.hash(Redacted.value(token)), idle)
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
        (client: Client, token: Redacted.Redacted) =>
          Effect.map(
            Redacted.value(token).includes(".") ? ofAccess(token) : ofRefresh(token),
            (found) => (found.active && found.client_id === client.id ? found : inactive)
          )
      )

      return AuthorizationServerIntrospection.of({ introspect })
    })
  ).pipe(Layer.provide([AccessTokens.layer, RefreshTokensRepo.layer]))
}

const inactive: Introspection = { active: false }

const describe = (claims: Claims): Introspection => {
  const { aud, client_id, cnf, exp, iat, iss, jti, kind, sub, tenant } = claims
  return {
    active: true,
    token_type: cnf === undefined ? "Bearer" : "DPoP",
    iss,
    sub,
    client_id,
    tenant,
    kind,
    iat,
    exp,
    aud,
    jti,
    ...(cnf !== undefined && { cnf }),
    ...(claims.kind === "client" && { scope: claims.scope })
  }
}
