/** Questions to an OpenID Provider, by `openid-client`, within bounds of time and size. */
import {
  type Identity,
  type IdentityProvider,
  mayAsk
} from "@quittance/domain/access/IdentityProvider"
import { CallFailed, type OutgoingCalls } from "@quittance/outgoing/OutgoingCalls"
import { Data, Duration, Effect, Redacted } from "effect"
import * as client from "openid-client"
import type { Environment } from "@quittance/domain/requests/Tenancy"

/** How long one answer of a provider may take, with its body. */
const answerTimeout = Duration.seconds(5)
/** Bytes; the documents of providers have some thousands. */
const maxAnswer = 256 * 1024

/** What is known of a provider, and of the tenant that it serves. */
export interface Party {
  readonly provider: Pick<IdentityProvider, "issuer" | "clientId">
  readonly secret: Redacted.Redacted
  readonly environment: Environment
  /** Where the browser comes back to. */
  readonly redirectUri: string
  readonly calls: OutgoingCalls["Service"]
}

/** What the answer to a sign-in has to fit: bound to the browser that began it. */
export interface Checks {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
  /**
   * Seconds that may have passed since the person signed in at the provider, if the client asked for that.
   */
  readonly maxAge?: number
}

/** The provider could not be asked, or what it says is not what OpenID Connect says that it must. */
export class ProviderFailed extends Data.TaggedError("ProviderFailed")<{
  readonly kind: "UNAVAILABLE" | "REFUSED"
  readonly cause: unknown
}> {}

class OutOfBounds extends Data.TaggedError("OutOfBounds")<{ readonly what: string }> {}

/** How recent the sign-in at the provider has to be. */
export interface Recency {
  /** Seconds. */
  readonly maxAge?: number
  /** Whether the person signs in there again in any case. */
  readonly again: boolean
}

/** Where to send the browser, with the values that its answer has to fit. */
export const begin = Effect.fn("OpenIdProvider.begin")(function* (
  party: Party,
  { again, maxAge }: Recency
) {
  const configuration = yield* ask("UNAVAILABLE", () => discover(party))
  const checks: Checks = {
    state: client.randomState(),
    nonce: client.randomNonce(),
    codeVerifier: client.randomPKCECodeVerifier(),
    ...(maxAge === undefined ? {} : { maxAge })
  }
  const address = yield* ask("UNAVAILABLE", async () =>
    client.buildAuthorizationUrl(configuration, {
      redirect_uri: party.redirectUri,
      scope: "openid email",
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(checks.codeVerifier),
      code_challenge_method: "S256",
      ...(maxAge === undefined ? {} : { max_age: `${maxAge}` }),
      ...(again ? { prompt: "login" } : {})
    })
  )
  if (!mayAsk(address.href, party.environment)) {
    return yield* failed("UNAVAILABLE", new OutOfBounds({ what: "authorization_endpoint" }))
  }
  return { address, checks }
})

/**
 * Whom the provider has signed in, when the browser comes back with its answer. State, `iss`, nonce,
 * audience, dates and signature of the ID token are `openid-client`'s to check; each is tested.
 */
export const finish = Effect.fn("OpenIdProvider.finish")(function* (
  party: Party,
  checks: Checks,
  answer: URLSearchParams
) {
  const configuration = yield* ask("UNAVAILABLE", () => discover(party))
  const current = new URL(party.redirectUri)
  current.search = `${answer}`
  const tokens = yield* ask("REFUSED", () =>
    client.authorizationCodeGrant(configuration, current, {
      pkceCodeVerifier: checks.codeVerifier,
      expectedState: checks.state,
      expectedNonce: checks.nonce,
      idTokenExpected: true,
      // With it the ID token has to say when, and not too long ago.
      ...(checks.maxAge === undefined ? {} : { maxAge: checks.maxAge })
    })
  )
  const claims = tokens.claims()
  if (claims === undefined) return yield* failed("REFUSED", new OutOfBounds({ what: "id_token" }))
  const { iss, sub } = claims
  const knowsAddress = claims["email"] !== undefined
  const canAsk = configuration.serverMetadata().userinfo_endpoint !== undefined
  const said =
    knowsAddress || !canAsk
      ? claims
      : yield* ask("REFUSED", () => client.fetchUserInfo(configuration, tokens.access_token, sub))
  const identity: Identity = {
    issuer: iss,
    subject: sub,
    authenticatedAt: claims.auth_time,
    // Both from the same answer; anything but `true` is no verification.
    verifiedEmail:
      said["email_verified"] === true && typeof said["email"] === "string"
        ? said["email"]
        : undefined
  }
  return identity
})

const discover = async (party: Party) => {
  const { provider, secret } = party
  const configuration = await client.discovery(
    new URL(provider.issuer),
    provider.clientId,
    undefined,
    client.ClientSecretBasic(Redacted.value(secret)),
    {
      // Which addresses may be asked is decided below, for each of them.
      execute: [client.allowInsecureRequests],
      [client.customFetch]: (address, options) => within(address, options, party)
    }
  )
  // The signature of ID tokens counts too, beside the connection that they came by.
  client.enableNonRepudiationChecks(configuration)
  return configuration
}

/** A request to an address that may be asked; it follows no redirect, and its answer has an end. */
const within = async (
  address: string,
  { body, headers, method }: client.CustomFetchOptions,
  { calls, environment }: Party
): Promise<Response> => {
  if (!mayAsk(address, environment)) throw new OutOfBounds({ what: "scheme" })
  const answer = await Effect.runPromise(
    calls.send({
      url: address,
      method: method === "POST" ? "POST" : "GET",
      headers: { ...headers, "accept-encoding": "identity" },
      // Form bodies and none are all that `openid-client` sends here.
      body: body === undefined || body === null ? undefined : Buffer.from(`${body}`),
      headTimeout: answerTimeout,
      timeout: answerTimeout,
      maxBody: maxAnswer
    })
  )
  if (answer.isCut) throw new OutOfBounds({ what: "size" })
  const content = answer.body.length === 0 ? null : Buffer.from(answer.body)
  return new Response(content, { status: answer.status, headers: { ...answer.headers } })
}

const failed = (kind: ProviderFailed["kind"], cause: unknown) => new ProviderFailed({ kind, cause })

const ask = <A>(kind: ProviderFailed["kind"], question: () => Promise<A>) =>
  Effect.tryPromise({
    try: question,
    catch: (cause) => failed(isAbsence(cause) ? "UNAVAILABLE" : kind, cause)
  })

/** Whether nothing was answered: no connection, no end of it, or a failure of the provider's own. */
const isAbsence = (cause: unknown): boolean => {
  if (!(cause instanceof Error)) return false
  if (cause instanceof CallFailed) return true
  return cause.cause instanceof Response
    ? cause.cause.status >= 500
    : cause.cause !== undefined && cause.cause !== cause && isAbsence(cause.cause)
}
