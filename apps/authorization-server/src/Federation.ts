/** `/federation/start` and `/federation/callback`: to the tenant's OpenID Provider, and back. */
import type { FederationRefused } from "@quittance/domain/access/IdentityProvider"
import * as FormText from "@quittance/http/FormText"
import {
  callbackPath,
  FederatedSignIn,
  patience
} from "@quittance/operations/authorization-server/FederatedSignIn"
import { AuthorizationServerLogin } from "@quittance/operations/authorization-server/SignIn"
import { SignInSteps } from "@quittance/operations/authorization-server/SignInSteps"
import { Duration, Effect, Layer, Option, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { backToClient, refusals } from "./Authorize.ts"
import { atHost, Host } from "./Host.ts"
import * as LoginPage from "./LoginPage.ts"
import { limitHeaders } from "./OAuthResponse.ts"
import * as Page from "@quittance/http/HostedPage"
import { ask } from "./SecondFactorAnswer.ts"

export const FederationRoutes = HttpRouter.addAll(
  Effect.gen(function* () {
    const federation = yield* FederatedSignIn
    const logins = yield* AuthorizationServerLogin
    const random = yield* SecureRandom.SecureRandom
    const steps = yield* SignInSteps
    const at = yield* atHost

    const start = Effect.gen(function* () {
      const parameters = FormText.parse(yield* queryText)
      if (Result.isFailure(parameters)) return yield* problem(400, unreadable)
      // A request that would be refused later is refused before the redirect.
      yield* logins.check(parameters.success)
      const known = new Map([...parameters.success].filter(([name]) => asked.has(name)))
      const { location, sealed } = yield* federation.begin(known, yield* address)
      if (sealed.length > maxCookie) return yield* problem(400, unreadable)
      return yield* redirect(location, sealed)
    })

    const callback = Effect.gen(function* () {
      const { cookies } = yield* HttpServerRequest.HttpServerRequest
      const { issuer } = yield* Host
      const answer = new URLSearchParams(yield* queryText)
      const { checks, parameters } = yield* federation.resume(cookies[cookieName(issuer)], answer)
      const request = yield* logins.check(parameters)
      const step = yield* federation.finish(request, checks, answer, yield* address)
      return yield* step._tag === "Code"
        ? backToClient(request, { code: step.code })
        : ask(steps, random, step.secret, step.said)
    }).pipe(Effect.flatMap(withoutCookie))

    const caught = <R>(
      route: Effect.Effect<
        HttpServerResponse.HttpServerResponse,
        Effect.Error<typeof start> | Effect.Error<typeof callback>,
        R
      >
    ) =>
      at(
        route.pipe(
          Effect.catchTags({
            ...refusals,
            FederationRefused: (refusal) =>
              Effect.flatMap(problem(statusOf(refusal), refusal.message), withoutCookie),
            RateLimited: (limit) => problem(429, limit.message, limitHeaders(limit))
          })
        )
      )

    return [
      HttpRouter.route("GET", "/federation/start", caught(start)),
      HttpRouter.route("GET", callbackPath, caught(callback))
    ]
  })
).pipe(
  Layer.provide([
    AuthorizationServerLogin.layer,
    FederatedSignIn.layer,
    SecureRandom.layerWebCrypto,
    SignInSteps.layer
  ])
)

/** Characters of the sealed text that a browser surely keeps in a cookie. */
const maxCookie = 3800

/** The parameters of an authorization request that are checked, and carried through the sign-in. */
const asked: ReadonlySet<string> = new Set([
  "response_type",
  "client_id",
  "redirect_uri",
  "state",
  "scope",
  "code_challenge",
  "code_challenge_method",
  "response_mode",
  "request",
  "request_uri",
  "dpop_jkt",
  "max_age",
  "prompt"
])

const unreadable = "Start again from the application: its request can't be read, or is too long."

const queryText = Effect.map(HttpServerRequest.HttpServerRequest, ({ url }) => {
  const question = url.indexOf("?")
  return question < 0 ? "" : url.slice(question + 1)
})

const address = Effect.map(HttpServerRequest.HttpServerRequest, ({ remoteAddress }) =>
  Option.getOrElse(remoteAddress, () => "")
)

const statusOf = ({ fault }: FederationRefused) =>
  ({ STALE: 400, UNAVAILABLE: 503, REFUSED: 400, UNKNOWN_USER: 403 })[fault]

const problem = (status: number, text: string, headers: Readonly<Record<string, string>> = {}) =>
  Effect.map(Host, ({ tenant }) =>
    Page.answer(LoginPage.problem(tenant, text), { status, headers })
  )

// As the login page's: bound to this host alone, where the connection is secure.
const isSecure = (issuer: string) => issuer.startsWith("https:")
const cookieName = (issuer: string) =>
  isSecure(issuer) ? "__Host-quittance-federation" : "quittance-federation"

const cookie = (
  response: HttpServerResponse.HttpServerResponse,
  issuer: string,
  value: string,
  seconds: number
) =>
  HttpServerResponse.setCookieUnsafe(response, cookieName(issuer), value, {
    path: "/",
    maxAge: Duration.seconds(seconds),
    httpOnly: true,
    sameSite: "lax",
    secure: isSecure(issuer)
  })

const redirect = (location: URL, sealed: string) =>
  Effect.map(Host, ({ issuer }) =>
    cookie(
      HttpServerResponse.redirect(location, {
        status: 303,
        headers: { "cache-control": "no-store", "referrer-policy": "no-referrer" }
      }),
      issuer,
      sealed,
      patience
    )
  )

/** The sign-in is over, with any outcome. */
const withoutCookie = (response: HttpServerResponse.HttpServerResponse) =>
  Effect.map(Host, ({ issuer }) => cookie(response, issuer, "", 0))
