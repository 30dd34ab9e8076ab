/** How and when a user has authenticated, as access tokens state it (RFC 9068, section 2.2.1). */

/**
 * Ways to show who one is, by their names in RFC 8176: a password, a code of an authenticator app, a
 * key that only the person has (a passkey), and `mfa` beside them where there was more than one way.
 * `fed` is ours, since RFC 8176 has no name for it: the tenant's identity provider vouched for them.
 */
export type AuthenticationMethod = "pwd" | "fed" | "otp" | "pop" | "mfa"

export interface Authentication {
  /** Seconds since 1970; `undefined` where it is not known. */
  readonly at: number | undefined
  /** By their names in RFC 8176; empty where they are not known. */
  readonly methods: ReadonlyArray<string>
}

/** The `acr` of a sign-in with two factors, by its name in OpenID PAPE 1.0. */
export const multiFactor = "http://schemas.openid.net/pape/policies/2007/06/multi-factor"

/** What a token says of a sign-in: `auth_time`, `amr`, and `acr` if it was with two factors. */
export const authenticationClaims = ({ at, methods }: Authentication) => ({
  ...(at === undefined ? {} : { auth_time: at }),
  ...(methods.length === 0 ? {} : { amr: methods }),
  ...(methods.includes("mfa") ? { acr: multiFactor } : {})
})
