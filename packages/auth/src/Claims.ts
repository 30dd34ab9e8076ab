/** What an access token says (RFC 9068), for the three kinds of caller. */
import {
  AnonymousSessionId,
  type Caller,
  ClientId,
  type Scope,
  scopeNames,
  UserId
} from "@quittance/domain/requests/Caller"
import { Schema } from "effect"
import { TenantId } from "@quittance/domain/requests/Tenancy"

/** Seconds since 1970; `Number.isInteger(1e308)` is true, so safe integers only. */
const NumericDate = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 253_402_300_799 }))

const common = {
  iss: Schema.NonEmptyString,
  /** Exactly one string: a token for this service and another one is refused. */
  aud: Schema.NonEmptyString,
  client_id: Schema.NonEmptyString,
  jti: Schema.NonEmptyString,
  iat: NumericDate,
  exp: NumericDate,
  /** We write none; a token that has one is not valid before it. */
  nbf: Schema.optionalKey(NumericDate),
  tenant: TenantId,
  /** The key without which the token is worth nothing (RFC 9449, section 6.1); absent: a bearer token. */
  cnf: Schema.optionalKey(Schema.Struct({ jkt: Schema.NonEmptyString }))
}

export const ClientClaims = Schema.Struct({
  ...common,
  kind: Schema.Literal("client"),
  sub: ClientId,
  scope: Schema.String
})

export const UserClaims = Schema.Struct({
  ...common,
  kind: Schema.Literal("user"),
  sub: UserId,
  /** The family of refresh tokens that the sign-in opened: revoked together with it. */
  sid: Schema.NonEmptyString,
  /** When they signed in, and how (RFC 8176); tokens of the release before don't tell. */
  auth_time: Schema.optionalKey(NumericDate),
  amr: Schema.optionalKey(Schema.Array(Schema.String)),
  acr: Schema.optionalKey(Schema.String),
  scope: Schema.optionalKey(Schema.Never)
})

export const AnonymousClaims = Schema.Struct({
  ...common,
  kind: Schema.Literal("anonymous"),
  sub: AnonymousSessionId,
  scope: Schema.optionalKey(Schema.Never)
})

/**
 * The kind decides, never the subject: a client whose id looks like a user's is still a client
 * (RFC 9700, section 4.15). A token of another kind than `client` that carries scopes is refused.
 */
export const Claims = Schema.Union([ClientClaims, UserClaims, AnonymousClaims])
export type Claims = typeof Claims.Type

/** The `client_id` of tokens that no client asked for; no client can have this identifier. */
export const anonymousClientId = "quittance:anonymous-session"

const known: ReadonlySet<string> = new Set(scopeNames)

/** The caller behind a verified token. Scopes that this release does not know grant nothing. */
export const caller = (claims: Claims): Caller => {
  switch (claims.kind) {
    case "client":
      return {
        _tag: "Client",
        clientId: claims.sub,
        scopes: new Set(claims.scope.split(" ").filter(isKnown))
      }
    case "user":
      return {
        _tag: "User",
        userId: claims.sub,
        signInId: claims.sid,
        ...(claims.auth_time === undefined ? {} : { authTime: claims.auth_time }),
        ...(claims.amr?.includes("mfa") === true ? { isTwoFactor: true as const } : {})
      }
    case "anonymous":
      return { _tag: "Anonymous", sessionId: claims.sub }
  }
}

const isKnown = (scope: string): scope is Scope => known.has(scope)
