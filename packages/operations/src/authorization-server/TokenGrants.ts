/** The grants of a tenant's authorization server (RFC 6749, sections 4 and 6), without their HTTP. */
import * as Pkce from "@quittance/auth/Pkce"
import * as Scopes from "@quittance/auth/Scopes"
import * as Secret from "@quittance/auth/Secret"
import type { UserId } from "@quittance/domain/requests/Caller"
import { type Client, GrantType } from "@quittance/domain/access/Client"
import type { RateLimited } from "@quittance/domain/requests/RateLimit"
import { toEpochMillis } from "@quittance/domain/values/Instant"
import {
  lifetimes,
  type TokenAnswer,
  TokenBinding,
  tokenLimit,
  TokenRefused
} from "@quittance/domain/tokens/Token"
import { IdentityProvidersRepo } from "@quittance/persistence/access/IdentityProvidersRepo"
import { AuthorizationCodesRepo } from "@quittance/persistence/tokens/AuthorizationCodesRepo"
import { SecondFactorsRepo } from "@quittance/persistence/authorization-server/SecondFactorsRepo"
import { type Family, RefreshTokensRepo } from "@quittance/persistence/tokens/RefreshTokensRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { UsersRepo } from "@quittance/persistence/access/UsersRepo"
import { Context, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { QuotaLeases } from "../requests/QuotaLeases.ts"
import { RateLimits } from "../requests/RateLimits.ts"
import { idleSeconds } from "../tokens/IdleSignIns.ts"
import { TokenIssuer } from "../tokens/TokenIssuer.ts"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** The form of a token request; no parameter is in it twice. */
export type TokenForm = ReadonlyMap<string, string>

type Refusal = TokenRefused | RateLimited

export class AuthorizationServer extends Context.Service<
  AuthorizationServer,
  {
    /** The answer of the token endpoint to a client that has authenticated itself. */
    token(client: Client, form: TokenForm): Effect.Effect<TokenAnswer, Refusal, CurrentTenant>
  }
>()("@quittance/operations/AuthorizationServer") {
  static readonly layer = Layer.effect(
    AuthorizationServer,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const tenantSql = yield* TenantSql
      const codes = yield* AuthorizationCodesRepo
      const refreshTokens = yield* RefreshTokensRepo
      const factors = yield* SecondFactorsRepo
      const identityProviders = yield* IdentityProvidersRepo
      const users = yield* UsersRepo
      const limits = yield* RateLimits
      const quotas = yield* QuotaLeases
      const issuer = yield* TokenIssuer
      const idle = yield* idleSeconds
      const random = yield* SecureRandom.SecureRandom
      const newSecret = Effect.map(random.randomBytes(Secret.secretBytes), Secret.make)

      const clientCredentials = Effect.fnUntraced(function* (client: Client, form: TokenForm) {
        const scopes = yield* Effect.fromResult(Scopes.allow(form.get("scope"), client.scopes))
        yield* quotas.spend(`token:${client.id}`, tokenLimit)
        const scope = scopes.join(" ")
        const access_token = yield* issuer.client(client.id, scope)
        return yield* answer({ access_token, expires_in: lifetimes.client, scope })
      })

      /**
       * One front end signs in many people, so each of them is counted alone. A user rarely gets two tokens
       * in a row, so leasing would not pay, and the count is part of the transaction.
       */
      const takeOf = (client: Client, userId: UserId) =>
        limits.take(`token:${client.id}:${userId}`, tokenLimit)

      /** Puts on record that a sign-in has ended, unless there was none that could. */
      const ended = Effect.fnUntraced(function* (
        client: Client,
        userId: UserId | undefined,
        reason: "CODE_REUSED" | "REFRESH_TOKEN_REUSED" | "OTHER_CLIENT" | "OTHER_KEY"
      ) {
        if (userId === undefined) return
        yield* audit.recordBy(
          { kind: "CLIENT", id: client.id },
          { action: "user.signIn.end", recordId: userId, detail: { reason } }
        )
      })

      /** Whether the person has come to need more than they signed in with: a factor, the provider. */
      const lacksMore = Effect.fnUntraced(function* (by: Pick<Family, "methods" | "userId">) {
        if (!by.methods.includes("fed") && (yield* identityProviders.find)?.mode === "REQUIRED") {
          return true
        }
        return !by.methods.includes("mfa") && (yield* factors.isRequiredOf(by.userId))
      })

      const redeem = Effect.fnUntraced(function* (client: Client, form: TokenForm) {
        const codeHash = Secret.hash(yield* parameter(form, "code"))
        const redirectUri = yield* parameter(form, "redirect_uri")
        const verifier = yield* parameter(form, "code_verifier")
        // The user is locked before the code, in the same order as when all sign-ins of a user are ended.
        const holder = yield* codes.holderOf(codeHash)
        const isActive = holder !== undefined && (yield* users.holdActive(holder))
        const code = yield* codes.consume(codeHash)
        if (code === undefined) {
          const of = yield* refreshTokens.revokeByCode(codeHash)
          return yield* ended(client, of, "CODE_REUSED")
        }
        if (code.expired || code.clientId !== client.id || code.redirectUri !== redirectUri) return
        if (!Pkce.matches(verifier, code.codeChallenge)) return
        if (!isActive || (yield* lacksMore(code))) return
        const jkt = yield* TokenBinding
        if ((code.dpopJkt ?? jkt) !== jkt) return
        yield* takeOf(client, code.userId)
        const family: Family = {
          id: yield* newSecret,
          clientId: client.id,
          userId: code.userId,
          // Who keeps a secret proves by it whose the refresh token is (RFC 9449, section 5).
          dpopJkt: client.kind === "PUBLIC" ? (jkt ?? null) : null,
          // Whom a provider vouches for may have signed in there long before.
          authenticatedAt: code.methods.includes("fed")
            ? (code.authenticatedAt ?? null)
            : code.createdAt,
          methods: code.methods,
          address: code.address ?? null,
          browser: code.browser ?? null
        }
        const refreshToken = yield* newSecret
        yield* refreshTokens.open(family, {
          codeHash,
          tokenHash: Secret.hash(refreshToken),
          lifetimeSeconds: lifetimes.refreshFamily
        })
        return { family, refreshToken }
      })

      const rotate = Effect.fnUntraced(function* (client: Client, form: TokenForm) {
        const tokenHash = Secret.hash(yield* parameter(form, "refresh_token"))
        if ((form.get("scope") ?? "") !== "") return yield* refuse("invalid_scope")
        const family = yield* refreshTokens.consume(tokenHash, idle)
        if (family === undefined || family.clientId !== client.id) {
          // Either use may be a thief's: the first or this one.
          const reason = family === undefined ? "REFRESH_TOKEN_REUSED" : "OTHER_CLIENT"
          return yield* ended(client, yield* refreshTokens.revokeByToken(tokenHash), reason)
        }
        if (family.dpopJkt !== null && family.dpopJkt !== (yield* TokenBinding)) {
          return yield* ended(client, yield* refreshTokens.revokeByToken(tokenHash), "OTHER_KEY")
        }
        if (!family.alive || (yield* lacksMore(family))) return
        yield* takeOf(client, family.userId)
        const refreshToken = yield* newSecret
        yield* refreshTokens.add(family.id, Secret.hash(refreshToken))
        return { family, refreshToken }
      })

      /**
       * What was used up stays so when the grant is refused, so a refusal is an answer of the
       * transaction; only a caller who is too fast gets everything back.
       */
      const signedIn = Effect.fnUntraced(function* (
        client: Client,
        grant: ReturnType<typeof redeem> | ReturnType<typeof rotate>
      ) {
        const granted = yield* tenantSql.transaction(grant)
        if (granted === undefined) return yield* refuse("invalid_grant")
        const { family, refreshToken } = granted
        const { authenticatedAt, methods, userId } = family
        const at =
          authenticatedAt === null ? undefined : Math.floor(toEpochMillis(authenticatedAt) / 1000)
        const access_token = yield* issuer.user(userId, client.id, family.id, { at, methods })
        return yield* answer({
          access_token,
          expires_in: lifetimes.user,
          refresh_token: refreshToken
        })
      })

      const token = Effect.fnUntraced(function* (client: Client, form: TokenForm) {
        const grantType = yield* parameter(form, "grant_type")
        if (!isGrantType(grantType)) return yield* refuse("unsupported_grant_type")
        if (!client.grantTypes.includes(grantType)) return yield* refuse("unauthorized_client")
        switch (grantType) {
          case "client_credentials":
            return yield* clientCredentials(client, form)
          case "authorization_code":
            return yield* signedIn(client, redeem(client, form))
          case "refresh_token":
            return yield* signedIn(client, rotate(client, form))
        }
      })

      return AuthorizationServer.of({ token })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      AuthorizationCodesRepo.layer,
      IdentityProvidersRepo.layer,
      QuotaLeases.layer,
      RateLimits.layer,
      RefreshTokensRepo.layer,
      SecondFactorsRepo.layer,
      TokenIssuer.layer,
      UsersRepo.layer,
      SecureRandom.layerWebCrypto
    ])
  )
}

const isGrantType = Schema.is(GrantType)

const refuse = (error: TokenRefused["error"]) => Effect.fail(new TokenRefused({ error }))

/** A parameter that the grant needs; one without a value counts as left out. */
const parameter = (form: TokenForm, name: string) => {
  const value = form.get(name) ?? ""
  return value === "" ? refuse("invalid_request") : Effect.succeed(value)
}

const answer = (token: Omit<TokenAnswer, "token_type">) =>
  Effect.map(TokenBinding, (jkt): TokenAnswer => ({
    token_type: jkt === undefined ? "Bearer" : "DPoP",
    ...token
  }))
