/** `/oauth2/authorize`: where people sign in (RFC 6749, section 4.1, with RFC 7636 and RFC 9207). */
import {
  type AuthorizationRefused,
  type AuthorizationRequest,
  InvalidAuthorizationRequest
} from "@quittance/domain/tokens/AuthorizationRequest"
import { Busy } from "@quittance/domain/requests/RequestErrors"
import type { RateLimited } from "@quittance/domain/requests/RateLimit"
import * as FormText from "@quittance/http/FormText"
import { FederatedSignIn } from "@quittance/operations/authorization-server/FederatedSignIn"
import { AuthorizationServerLogin } from "@quittance/operations/authorization-server/SignIn"
import { SignInSteps } from "@quittance/operations/authorization-server/SignInSteps"
import { Guesses } from "@quittance/operations/access/Guesses"
import { Effect, Layer, Option, Redacted, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import * as CsrfToken from "./CsrfToken.ts"
import * as DeviceCookie from "./DeviceCookie.ts"
import * as Form from "./Form.ts"
import { atHost, Host } from "./Host.ts"
import * as LoginPage from "./LoginPage.ts"
import { limitHeaders } from "./OAuthResponse.ts"
import * as Page from "@quittance/http/HostedPage"
import { ask } from "./SecondFactorAnswer.ts"

/** What the form adds to the parameters of the request that it carries along. */
const ownFields = new Set(["csrf", "email", "password"])

export const AuthorizeRoutes = HttpRouter.addAll(
  Effect.gen(function* () {
    const logins = yield* AuthorizationServerLogin
    const federation = yield* FederatedSignIn
    const guesses = yield* Guesses
    const steps = yield* SignInSteps
    const random = yield* SecureRandom.SecureRandom
    const at = yield* atHost

    /** The login page, with the reason why the last try failed and its status. */
    const show = Effect.fnUntraced(function* (
      request: AuthorizationRequest,
      parameters: FormText.Parameters,
      retry: Retry = firstTry
    ) {
      const { issuer, tenant } = yield* Host
      const csrf = yield* CsrfToken.ofBrowser(random)
      const carried = [...parameters].filter(([name]) => !ownFields.has(name))
      const page = LoginPage.login({
        tenant,
        clientName: request.clientName,
        provider: LoginPage.providerOf(yield* federation.offer, carried),
        hidden: [...carried, ["csrf", csrf]],
        email: retry.status === 200 ? "" : (parameters.get("email") ?? ""),
        problem: retry.problem
      })
      return Page.answer(page, {
        status: retry.status,
        headers: { ...retry.headers, "set-cookie": CsrfToken.cookie(issuer, csrf) },
        redirectUri: request.redirectUri
      })
    })

    const signIn = Effect.fnUntraced(function* (
      request: AuthorizationRequest,
      parameters: FormText.Parameters
    ) {
      if (!(yield* CsrfToken.isOfBrowser(parameters.get("csrf")))) {
        return yield* show(request, parameters, expired)
      }
      const { remoteAddress } = yield* HttpServerRequest.HttpServerRequest
      return yield* logins
        .signIn(request, {
          email: parameters.get("email") ?? "",
          password: Redacted.make(parameters.get("password") ?? ""),
          address: Option.getOrElse(remoteAddress, () => ""),
          device: yield* DeviceCookie.ofBrowser
        })
        .pipe(
          Effect.flatMap((step) =>
            step._tag === "Code"
              ? backToClient(request, { code: step.code })
              : ask(steps, random, step.secret, step.said)
          ),
          Effect.flatMap(DeviceCookie.remember(guesses, parameters.get("email") ?? "")),
          Effect.catchTags({
            WrongCredentials: ({ message }) =>
              show(request, parameters, { status: 400, problem: message, headers: {} }),
            RateLimited: (limit) => show(request, parameters, tooMany(limit))
          }),
          Effect.catchDefect((defect) =>
            defect instanceof Busy ? show(request, parameters, crowded(defect)) : Effect.die(defect)
          )
        )
    })

    const authorize = Effect.gen(function* () {
      const parameters = yield* read
      const request = yield* logins.check(parameters)
      return parameters.has("password")
        ? yield* signIn(request, parameters)
        : yield* show(request, parameters)
    }).pipe(Effect.catchTags(refusals))

    return [
      HttpRouter.route("GET", "/oauth2/authorize", at(authorize)),
      HttpRouter.route("POST", "/oauth2/authorize", at(authorize))
    ]
  })
).pipe(
  Layer.provide([
    AuthorizationServerLogin.layer,
    FederatedSignIn.layer,
    Guesses.layer,
    SecureRandom.layerWebCrypto,
    SignInSteps.layer
  ])
)

interface Retry {
  readonly status: number
  readonly problem: string | undefined
  readonly headers: Readonly<Record<string, string>>
}

const firstTry: Retry = { status: 200, problem: undefined, headers: {} }

const expired: Retry = {
  status: 403,
  problem: "This page was open for too long, or your browser keeps no cookies. Sign in again.",
  headers: {}
}

const tooMany = (limit: RateLimited): Retry => ({
  status: 429,
  problem: `There were too many tries. Wait ${limit.retryAfter} seconds, then try again.`,
  headers: limitHeaders(limit)
})

const crowded = ({ retryAfter }: Busy): Retry => ({
  status: 503,
  problem: `Many people are signing in at the moment. Wait ${retryAfter} seconds, then try again.`,
  headers: { "retry-after": `${retryAfter}` }
})

/** The parameters, from the query or, as the login page sends them, from a form. */
const read = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  if (request.method === "POST") {
    return yield* Effect.catchTag(Form.body, "TokenRefused", () => Effect.fail(invalid("form")))
  }
  const question = request.url.indexOf("?")
  const parameters = FormText.parse(question < 0 ? "" : request.url.slice(question + 1))
  // A password never comes in an address.
  if (Result.isFailure(parameters)) return yield* invalid(parameters.failure)
  return parameters.success.has("password") ? yield* invalid("password") : parameters.success
})

/** What is answered to a request that is not served. */
export const refusals = {
  InvalidAuthorizationRequest: ({ message }: InvalidAuthorizationRequest) => problem(message),
  AuthorizationRefused: ({ error, message, redirectUri, state }: AuthorizationRefused) =>
    backToClient({ redirectUri, state }, { error, error_description: message })
}

const invalid = (parameter: string) => new InvalidAuthorizationRequest({ parameter })

const problem = (text: string) =>
  Effect.map(Host, ({ tenant }) => Page.answer(LoginPage.problem(tenant, text), { status: 400 }))

/** See other, so that the browser does not send the password on to the client. */
export const backToClient = (
  { redirectUri, state }: Pick<AuthorizationRequest, "redirectUri" | "state">,
  answer: Readonly<Record<string, string>>
) =>
  Effect.map(Host, ({ issuer }) => {
    const location = new URL(redirectUri)
    for (const [name, value] of Object.entries(answer)) location.searchParams.set(name, value)
    if (state !== undefined) location.searchParams.set("state", state)
    location.searchParams.set("iss", issuer)
    return HttpServerResponse.redirect(location, {
      status: 303,
      headers: { "cache-control": "no-store", "referrer-policy": "no-referrer" }
    })
  })
