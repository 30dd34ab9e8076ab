/** The OpenID Provider with which people of a tenant sign in (OpenID Connect Core). */
import { Schema } from "effect"
import type { Environment } from "../requests/Tenancy.ts"

/** Whether people may sign in with the provider, or can't otherwise. */
export const IdentityProviderMode = Schema.Literals(["OFFERED", "REQUIRED"])
export type IdentityProviderMode = typeof IdentityProviderMode.Type

/** What a tenant says of its provider; its secret is kept beside it, encrypted. */
export const IdentityProvider = Schema.Struct({
  /** Compared with what the provider says of itself, letter by letter. */
  issuer: Schema.String.check(Schema.isMaxLength(500)),
  /** As the provider knows this service. */
  clientId: Schema.NonEmptyString.check(Schema.isMaxLength(500)),
  /** On the button: `Sign in with …`. */
  label: Schema.NonEmptyString.check(Schema.isMaxLength(60)),
  mode: IdentityProviderMode,
  /**
   * Whether a first sign-in is matched to a user by the address that the provider has verified. Otherwise
   * only accounts whose `sub` was linked before can sign in.
   */
  linksByEmail: Schema.Boolean
})
export type IdentityProvider = typeof IdentityProvider.Type

/** Whom a provider says that it has signed in. */
export interface Identity {
  /** When they signed in at the provider, in seconds since 1970; `undefined` if it doesn't say. */
  readonly authenticatedAt: number | undefined
  readonly issuer: string
  /** The provider never gives it to another person, unlike an address. */
  readonly subject: string
  /** Absent where the provider does not say that it has verified it. */
  readonly verifiedEmail: string | undefined
}

const isLoopback = ({ hostname }: URL) =>
  hostname === "127.0.0.1" || hostname === "[::1]" || /(?:^|\.)localhost$/u.test(hostname)

/** Whether this service asks an address: https, and in a sandbox also http on the own machine. */
export const mayAsk = (address: string, environment: Environment): boolean => {
  const url = URL.parse(address)
  if (url === null || url.username !== "" || url.password !== "") return false
  return (
    url.protocol === "https:" ||
    (url.protocol === "http:" && environment !== "production" && isLoopback(url))
  )
}

/** The issuer is no address that this service asks. */
export class InvalidIssuer extends Schema.TaggedError<InvalidIssuer>()("InvalidIssuer", {}) {
  override get message() {
    return "Give the issuer as the provider writes it: https (in a sandbox also http on the own machine), without user, query and fragment."
  }
}

/** The tenant has no provider. */
export class NoIdentityProvider extends Schema.TaggedError<NoIdentityProvider>()(
  "NoIdentityProvider",
  {}
) {
  override get message() {
    return "The tenant has no identity provider; give an issuer, a client id and IDENTITY_PROVIDER_SECRET to set one up."
  }
}

/** Why a sign-in with a provider comes to nothing. */
export const FederationFault = Schema.Literals(["STALE", "UNAVAILABLE", "REFUSED", "UNKNOWN_USER"])
export type FederationFault = typeof FederationFault.Type

const texts: Readonly<Record<FederationFault, string>> = {
  STALE:
    "This sign-in was not begun in this browser, or too long ago. Start again from the application.",
  UNAVAILABLE: "The identity provider can't be reached. Try again in a few minutes.",
  REFUSED: "The identity provider did not confirm who you are. Start again from the application.",
  UNKNOWN_USER:
    "No user is linked to this account. Ask a manager to invite you with an address that the identity provider has verified."
}

/** A sign-in with the tenant's provider did not succeed. */
export class FederationRefused extends Schema.TaggedError<FederationRefused>()(
  "FederationRefused",
  { fault: FederationFault }
) {
  override get message() {
    return texts[this.fault]
  }
}
