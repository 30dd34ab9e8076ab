/** Tokens as the authorization server hands them out, and why it refuses (RFC 6749, section 5). */
import { Context, Schema } from "effect"
import type { TenantId } from "../requests/Tenancy.ts"

/** Whom a token speaks for. Only the tokens of clients carry scopes. */
export const TokenKind = Schema.Literals(["client", "user", "anonymous"])
export type TokenKind = typeof TokenKind.Type

/** Seconds. */
export const lifetimes = {
  client: 3600,
  user: 900,
  anonymous: 3600,
  authorizationCode: 60,
  /** A family of refresh tokens, from the sign-in on, however often it was rotated. */
  refreshFamily: 12 * 3600,
  /**
   * How long an unused family lives, unless it is configured: an hour, as NIST SP 800-63B-4 recommends for
   * two factors (section 2.2.3).
   */
  refreshIdle: 3600
} as const

/** Tokens a client (for users' tokens: each of its users) may be given. */
export const tokenLimit = { limit: 60, windowSeconds: 60 }

/** Wrong credentials that an address may send. */
export const failureLimit = { limit: 20, windowSeconds: 60 }

export const OAuthErrorCode = Schema.Literals([
  "invalid_request",
  "invalid_client",
  "invalid_grant",
  "invalid_scope",
  "unauthorized_client",
  "unsupported_grant_type",
  "invalid_dpop_proof"
])
export type OAuthErrorCode = typeof OAuthErrorCode.Type

/**
 * What to do next, per code. The texts are fixed: an answer never repeats what was sent, nor says
 * which half of a credential was wrong.
 */
const descriptions: Readonly<Record<OAuthErrorCode, string>> = {
  invalid_request: "Send each parameter of the grant once, as application/x-www-form-urlencoded.",
  invalid_client:
    "Authenticate with HTTP Basic, using a client id and secret of this tenant, or by private_key_jwt with a registered key.",
  invalid_grant: "Start again: the code or refresh token is wrong, expired, used or revoked.",
  invalid_scope: "Ask only for scopes that the client was granted, separated by one space.",
  unauthorized_client: "Use a grant type that this client was registered for.",
  unsupported_grant_type: "Use the grant client_credentials, authorization_code or refresh_token.",
  invalid_dpop_proof:
    "Send one new DPoP proof, signed for this method and address, and dated now (RFC 9449)."
}

/** The token endpoint's refusal; `error` is also the wire's `code`. */
export class TokenRefused extends Schema.TaggedError<TokenRefused>()("TokenRefused", {
  error: OAuthErrorCode
}) {
  override get message() {
    return descriptions[this.error]
  }
}

/**
 * The thumbprint of the key that the tokens of this request are bound to (RFC 9449). `undefined` where the
 * request has proven no key: they are bearer tokens.
 */
export const TokenBinding = Context.Reference<string | undefined>(
  "@quittance/domain/TokenBinding",
  {
    defaultValue: () => undefined
  }
)

/** What the token endpoint answers (RFC 6749, section 5.1). */
export interface TokenAnswer {
  readonly access_token: string
  /** `DPoP` if the access token is bound to a key, which has to be proven with each use. */
  readonly token_type: "Bearer" | "DPoP"
  /** Seconds. */
  readonly expires_in: number
  /** Of clients only; separated by one space. */
  readonly scope?: string
  /** Of users only. */
  readonly refresh_token?: string
}

/** What introspection says of a token (RFC 7662, section 2.2). */
export type Introspection =
  /** Foreign, expired, revoked, used up, or no token at all: the answer does not say which. */
  | { readonly active: false }
  | {
      readonly active: true
      /** Of access tokens only: a refresh token is none and must not be taken for one. */
      readonly token_type?: "Bearer" | "DPoP"
      readonly iss: string
      readonly sub: string
      readonly client_id: string
      readonly tenant: TenantId
      readonly kind: TokenKind
      /** Seconds since 1970, as all times here. */
      readonly iat: number
      readonly exp: number
      /** Of access tokens only, as the next one. */
      readonly aud?: string
      readonly jti?: string
      /** Of clients' access tokens only. */
      readonly scope?: string
      /** The key that a token is bound to, by its thumbprint (RFC 7638). */
      readonly cnf?: { readonly jkt: string }
    }
