/** `/password/forgot`: has a letter sent with a link to choose another password. */
import type { RateLimited } from "@quittance/domain/requests/RateLimit"
import { Accounts } from "@quittance/operations/access/Accounts"
import { Duration, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpRouter, HttpServerRequest } from "effect/http"
import * as CsrfToken from "./CsrfToken.ts"
import * as DeviceCookie from "./DeviceCookie.ts"
import * as ForgotPage from "./ForgotPage.ts"
import * as Form from "./Form.ts"
import { atHost, Host } from "./Host.ts"
import { limitHeaders } from "./OAuthResponse.ts"
import * as Page from "@quittance/http/HostedPage"
import { Email } from "@quittance/domain/values/Email"

/**
 * No answer comes earlier: writing a mail takes longer than finding no user, and the time of an answer must
 * not reveal who has an account.
 */
const shortestAnswer = Duration.millis(250)

export const ForgotRoutes = HttpRouter.addAll(
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const random = yield* SecureRandom.SecureRandom
    const at = yield* atHost

    const show = Effect.fnUntraced(function* (email: string, retry: Retry = firstTry) {
      const { issuer, tenant } = yield* Host
      const csrf = yield* CsrfToken.ofBrowser(random)
      const hidden = [["csrf", csrf]] as const
      const { headers, problem, status } = retry
      return Page.answer(ForgotPage.forgot({ tenant, hidden, email, problem }), {
        status,
        headers: { ...headers, "set-cookie": CsrfToken.cookie(issuer, csrf) }
      })
    })

    const send = Effect.gen(function* () {
      const parameters = yield* Form.body
      const email = (parameters.get("email") ?? "").trim()
      if (!(yield* CsrfToken.isOfBrowser(parameters.get("csrf")))) {
        return yield* show(email, expired)
      }
      if (!isAddress(email)) return yield* show(email, noAddress)
      const { remoteAddress } = yield* HttpServerRequest.HttpServerRequest
      const { tenant } = yield* Host
      const sending = accounts.forgot(
        email,
        Option.getOrElse(remoteAddress, () => ""),
        yield* DeviceCookie.ofBrowser
      )
      return yield* Effect.all([sending, Effect.sleep(shortestAnswer)], {
        concurrency: "unbounded"
      }).pipe(
        Effect.as(Page.answer(ForgotPage.sent(tenant, email))),
        Effect.catchTag("RateLimited", (limit) => show(email, tooMany(limit)))
      )
    }).pipe(Effect.catchTag("TokenRefused", () => show("", noAddress)))

    return [
      HttpRouter.route("GET", "/password/forgot", at(show(""))),
      HttpRouter.route("POST", "/password/forgot", at(send))
    ]
  })
).pipe(Layer.provide([Accounts.layer, SecureRandom.layerWebCrypto]))

interface Retry {
  readonly status: number
  readonly problem: string | undefined
  readonly headers: Readonly<Record<string, string>>
}

const firstTry: Retry = { status: 200, problem: undefined, headers: {} }

const expired: Retry = {
  status: 403,
  problem: "This page was open for too long, or your browser keeps no cookies. Try again.",
  headers: {}
}

const noAddress: Retry = {
  status: 400,
  problem: "Write the e-mail address with which you sign in, such as ada@example.com.",
  headers: {}
}

const tooMany = (limit: RateLimited): Retry => ({
  status: 429,
  problem: `There were too many tries. Wait ${limit.retryAfter} seconds, then try again.`,
  headers: limitHeaders(limit)
})

const isAddress = Schema.is(Email)
