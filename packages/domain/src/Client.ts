import { Schema } from "effect"
import { ClientId, Scope } from "./Caller.ts"
import { Instant } from "./Instant.ts"

/** A confidential client keeps a secret; a public one (an app, a command line) cannot. */
export const ClientKind = Schema.Literals(["CONFIDENTIAL", "PUBLIC"])
export type ClientKind = typeof ClientKind.Type

/** What a client may exchange for a token at the token endpoint. */
export const GrantType = Schema.Literals([
  "client_credentials",
  "authorization_code",
  "refresh_token"
])
export type GrantType = typeof GrantType.Type

/** An application that the tenant's authorization server knows. */
export const Client = Schema.Struct({
  id: ClientId,
  name: Schema.NonEmptyString,
  kind: ClientKind,
  /** Only an application of the service itself may hold internal-only scopes. */
  internal: Schema.Boolean,
  scopes: Schema.Array(Scope),
  grantTypes: Schema.Array(GrantType),
  /** Compared exactly; the port of a loopback address is free (RFC 8252, section 7.3). */
  redirectUris: Schema.Array(Schema.String),
  createdAt: Instant
}).annotate({ identifier: "Client" })
export type Client = typeof Client.Type

/**
 * The public client that every tenant has from the start, for the command line and for front ends
 * on the user's own machine: sign-in with a code and PKCE, answered to a loopback address.
 */
export const firstPartyClientId = ClientId.make("quittance-cli")

/** The path is fixed, the port is whichever the program got. */
export const loopbackRedirectUri = "http://127.0.0.1/callback"
