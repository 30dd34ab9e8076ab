/** `/second-factor`: the step after the password. `/account/security`: one's own second factors. */
import { Busy } from "@quittance/domain/requests/RequestErrors"
import type * as FormText from "@quittance/http/FormText"
import { AuthorizationServerLogin } from "@quittance/operations/authorization-server/SignIn"
import {
  type SignInAnswer,
  type SignInStep,
  SignInSteps
} from "@quittance/operations/authorization-server/SignInSteps"
import { Effect, Layer, Option, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { backToClient } from "./Authorize.ts"
import * as CsrfToken from "./CsrfToken.ts"
import * as DeviceCookie from "./DeviceCookie.ts"
import * as Form from "./Form.ts"
import { atHost, Host } from "./Host.ts"
import { limitHeaders } from "./OAuthResponse.ts"
import * as Page from "@quittance/http/HostedPage"
import { ask, over } from "./SecondFactorAnswer.ts"
import * as SecondFactorPage from "./SecondFactorPage.ts"

export const SecondFactorRoutes = HttpRouter.addAll(
  Effect.gen(function* () {
    const logins = yield* AuthorizationServerLogin
    const steps = yield* SignInSteps
    const random = yield* SecureRandom.SecureRandom
    const at = yield* atHost

    const follow = (step: SignInStep) =>
      step._tag === "Code"
        ? backToClient(step.request, { code: step.code })
        : ask(steps, random, step.secret, step.said)

    const answer = Effect.gen(function* () {
      const parameters = yield* Form.body
      const secret = parameters.get("attempt") ?? ""
      if (!(yield* CsrfToken.isOfBrowser(parameters.get("csrf")))) {
        return yield* ask(steps, random, secret, { problem: noCookie, status: 403 })
      }
      const given = answerIn(parameters)
      if (given === undefined) return yield* ask(steps, random, secret)
      if (given === "EMPTY") return yield* ask(steps, random, secret, { problem: noScript })
      return yield* steps.answer(secret, given).pipe(
        Effect.flatMap(follow),
        Effect.catchTag("RateLimited", (limit) =>
          ask(steps, random, secret, {
            problem: `There were too many tries. Wait ${limit.retryAfter} seconds, then try again.`,
            status: 429,
            headers: limitHeaders(limit)
          })
        )
      )
    }).pipe(
      Effect.catchTags({
        SignInOver: ({ message }) => over(message),
        TokenRefused: ({ message }) => over(message)
      })
    )

    const show = Effect.fnUntraced(function* ({ headers, status = 200, problem }: Retry = {}) {
      const { issuer, tenant } = yield* Host
      const csrf = yield* CsrfToken.ofBrowser(random)
      return Page.answer(SecondFactorPage.signIn(tenant, [["csrf", csrf]], problem), {
        status,
        headers: { ...headers, "set-cookie": CsrfToken.cookie(issuer, csrf) }
      })
    })

    const enter = Effect.gen(function* () {
      const parameters = yield* Form.body
      if (!(yield* CsrfToken.isOfBrowser(parameters.get("csrf")))) {
        return yield* show({ problem: noCookie, status: 403 })
      }
      const { remoteAddress } = yield* HttpServerRequest.HttpServerRequest
      const who = {
        email: parameters.get("email") ?? "",
        password: Redacted.make(parameters.get("password") ?? ""),
        address: Option.getOrElse(remoteAddress, () => ""),
        device: yield* DeviceCookie.ofBrowser
      }
      return yield* Effect.flatMap(logins.signIn(undefined, who), follow)
    }).pipe(
      Effect.catchTags({
        TokenRefused: ({ message }) => show({ problem: message, status: 400 }),
        WrongCredentials: ({ message }) => show({ problem: message, status: 400 }),
        RateLimited: (limit) =>
          show({
            problem: `There were too many tries. Wait ${limit.retryAfter} seconds, then try again.`,
            status: 429,
            headers: limitHeaders(limit)
          })
      }),
      Effect.catchDefect((defect) =>
        defect instanceof Busy ? show(crowded(defect)) : Effect.die(defect)
      )
    )

    return [
      HttpRouter.route("POST", SecondFactorPage.answerPath, at(answer)),
      HttpRouter.route("GET", SecondFactorPage.accountPath, at(show())),
      HttpRouter.route("POST", SecondFactorPage.accountPath, at(enter))
    ]
  })
).pipe(
  Layer.provide([AuthorizationServerLogin.layer, SignInSteps.layer, SecureRandom.layerWebCrypto])
)

interface Retry extends Pick<Page.AnswerOptions, "headers" | "status"> {
  readonly problem?: string
}

const crowded = ({ retryAfter }: Busy): Retry => ({
  status: 503,
  problem: `Many people are signing in at the moment. Wait ${retryAfter} seconds, then try again.`,
  headers: { "retry-after": `${retryAfter}` }
})

const noCookie = "This page was open for too long, or your browser keeps no cookies. Try again."
const noScript = "A passkey needs a browser that runs scripts and knows passkeys. Use another way."

/** Characters; a passkey's answer has some thousand. */
const longestAnswer = 10_000

/** What the form says; `undefined` where it only asks for the page. */
const answerIn = (parameters: FormText.Parameters): SignInAnswer | "EMPTY" | undefined => {
  const text = (parameters.get("text") ?? "").slice(0, longestAnswer)
  const credential = (parameters.get("credential") ?? "").slice(0, longestAnswer)
  const name = (parameters.get("name") ?? "").trim().slice(0, 100)
  switch (parameters.get("do")) {
    case "totp":
      return { _tag: "Prove", proof: { kind: "TOTP", text } }
    case "recovery":
      return { _tag: "Prove", proof: { kind: "RECOVERY_CODE", text } }
    case "passkey":
      return credential === ""
        ? "EMPTY"
        : { _tag: "Prove", proof: { kind: "PASSKEY", text: credential } }
    case "add-totp":
      return {
        _tag: "Enrol",
        enrolment: { kind: "TOTP", text, name: name || "Authenticator app" }
      }
    case "add-passkey":
      return credential === ""
        ? "EMPTY"
        : {
            _tag: "Enrol",
            enrolment: { kind: "PASSKEY", text: credential, name: name || "Passkey" }
          }
    case "remove":
      return { _tag: "Remove", factorId: parameters.get("factor") ?? "" }
    case "new-codes":
      return { _tag: "NewCodes" }
    case "go-on":
      return { _tag: "GoOn" }
    default:
      return undefined
  }
}
