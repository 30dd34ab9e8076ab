import { Schema } from "effect"
import { ClientId, Scope, scopeNames, scopes } from "../requests/Caller.ts"
import { ClientKey } from "./ClientKey.ts"
import { Instant } from "../values/Instant.ts"
import { Action, scopeActions, scopeOf } from "../requests/Action.ts"

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

/** A name chosen for a client; it can't be mistaken for the identifier of another record. */
export const ChosenClientId = Schema.String.check(
  Schema.isPattern(/^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/u, {
    message: "Expected 3 to 63 lower-case letters, digits and hyphens, such as acme-integration"
  })
).pipe(Schema.brand("ClientId"))

/** A client as a path names it: by a chosen name, or by an identifier of the service's. */
export const NamedClientId = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9_-]{1,100}$/u, {
    message: "Expected the identifier of a client, such as acme-integration"
  })
).pipe(Schema.brand("ClientId"))

/** Why an address is none that a browser may be sent back to with a code; `undefined` when it is one. */
export const redirectUriFault = (text: string): string | undefined => {
  if (!URL.canParse(text))
    return "Expected an absolute address, such as https://app.example/callback"
  const url = new URL(text)
  const isLoopback = url.hostname === "127.0.0.1" || url.hostname === "[::1]"
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback)) {
    return "Expected https, or http on 127.0.0.1 or [::1]"
  }
  if (isLoopback && url.port !== "")
    return "Expected no port: on a loopback address any is accepted"
  if (url.username !== "" || url.password !== "" || text.includes("#")) {
    return "Expected neither a user nor a fragment"
  }
  // Addresses are compared as texts, so they are kept as browsers write them.
  return url.href === text ? undefined : `Expected the canonical form, ${url.href}`
}

/** Where a sign-in may end (RFC 9700, section 2.1; RFC 8252, section 7.3). */
export const RedirectUri = Schema.String.check(
  Schema.isMaxLength(500),
  Schema.makeFilter((text) => redirectUriFault(text))
)

/** How many secrets of a client may be valid at once, so that one can be replaced while it works. */
export const maximumSecrets = 2

/** A secret by its fingerprint: the beginning of the SHA-256, in hexadecimal, of what is stored of it. */
export const ClientSecretId = Schema.String.check(
  Schema.isPattern(/^[0-9a-f]{16}$/u, { message: "Expected 16 hexadecimal digits" })
).pipe(Schema.brand("ClientSecretId"))
export type ClientSecretId = typeof ClientSecretId.Type

export const ClientSecret = Schema.Struct({
  secretId: ClientSecretId,
  createdAt: Instant
}).annotate({ identifier: "ClientSecret" })
export type ClientSecret = typeof ClientSecret.Type

/** A client of the tenant as its administrators see it: what it may do, and no secret. */
export const ClientView = Schema.Struct({
  clientId: ClientId,
  name: Schema.NonEmptyString,
  kind: ClientKind,
  scopes: Schema.Array(Scope),
  grantTypes: Schema.Array(GrantType),
  redirectUris: Schema.Array(Schema.String),
  secrets: Schema.Array(ClientSecret),
  /** By which it may authenticate with `private_key_jwt`, beside its secrets or in their place. */
  publicKeys: Schema.Array(ClientKey),
  createdAt: Instant
}).annotate({ identifier: "ClientView" })
export type ClientView = typeof ClientView.Type

/**
 * The actions that a client with these scopes leads to on the whole tenant: its own, and those it can grant
 * by inviting users. With `platform/admin` it makes clients, so it has all actions that any client of a
 * tenant can have. Granting these scopes needs every one of these actions.
 */
export const reachOf = (given: ReadonlyArray<Scope>): ReadonlyArray<Action> => {
  const further = given.includes("platform/admin")
    ? scopeNames.filter((scope) => !scopes[scope].internalOnly)
    : []
  const reached = [...new Set([...given, ...further])]
  const invites = reached.includes("platform/invitations")
  return [
    ...new Set([
      ...reached.flatMap(scopeActions),
      ...(invites ? Action.literals.filter((action) => reached.includes(scopeOf(action))) : [])
    ])
  ]
}

/** Those of the scopes that only an application of the service itself may hold. */
export const internalOnly = (asked: ReadonlyArray<Scope>): ReadonlyArray<Scope> =>
  asked.filter((scope) => scopes[scope].internalOnly)

export class ClientNotFound extends Schema.TaggedError<ClientNotFound>()("ClientNotFound", {
  clientId: ClientId
}) {
  override get message() {
    return `Client ${this.clientId} does not exist; GET /admin/clients lists those of the tenant.`
  }
}

/** The identifier of a deleted client stays taken: its tokens and records may still be about. */
export class ClientIdTaken extends Schema.TaggedError<ClientIdTaken>()("ClientIdTaken", {
  clientId: ClientId
}) {
  override get message() {
    return `There is or was a client ${this.clientId}; choose another identifier.`
  }
}

export class InternalScope extends Schema.TaggedError<InternalScope>()("InternalScope", {
  scopes: Schema.Array(Scope)
}) {
  override get message() {
    return `Leave out ${this.scopes.join(", ")}: no client of a tenant may hold it.`
  }
}

export class TooManySecrets extends Schema.TaggedError<TooManySecrets>()("TooManySecrets", {
  /** How many there may be: none for a public client. */
  maximum: Schema.Int
}) {
  override get message() {
    return this.maximum === 0
      ? "A public client has no secret; make a confidential one."
      : `There are ${this.maximum} secrets; delete the one that is no longer used first.`
  }
}

export class ClientSecretNotFound extends Schema.TaggedError<ClientSecretNotFound>()(
  "ClientSecretNotFound",
  { secretId: ClientSecretId }
) {
  override get message() {
    return `The client has no secret ${this.secretId}; GET /admin/clients/{clientId} lists them.`
  }
}

export class LastSecret extends Schema.TaggedError<LastSecret>()("LastSecret", {}) {
  override get message() {
    return "The client could no longer get a token; add another secret or key first, or delete the client."
  }
}
