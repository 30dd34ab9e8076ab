/** The cookie of a browser that has signed in here before; it opens nothing (`Guesses`). */
import type { Guesses } from "@quittance/operations/access/Guesses"
import { Duration, Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Host } from "./Host.ts"

/** The longest that browsers keep a cookie. */
const lifetime = Duration.days(400)

// The prefix binds the cookie to this host alone, as that of the forms (`CsrfToken`).
const secureName = "__Host-quittance-browser"
const plainName = "quittance-browser"

const isSecure = (issuer: string) => issuer.startsWith("https:")
const nameAt = (issuer: string) => (isSecure(issuer) ? secureName : plainName)

/** What the browser has sent; empty without it. */
export const ofBrowser = Effect.gen(function* () {
  const { cookies } = yield* HttpServerRequest.HttpServerRequest
  const { issuer } = yield* Host
  return cookies[nameAt(issuer)] ?? ""
})

/** Has the browser remember that it has signed in to the account with this address. */
export const remember =
  (guesses: Guesses["Service"], email: string) =>
  (response: HttpServerResponse.HttpServerResponse) =>
    Effect.gen(function* () {
      const { issuer } = yield* Host
      const value = yield* guesses.cookie(email, yield* ofBrowser)
      return HttpServerResponse.setCookieUnsafe(response, nameAt(issuer), value, {
        path: "/",
        maxAge: lifetime,
        httpOnly: true,
        sameSite: "lax",
        secure: isSecure(issuer)
      })
    })
