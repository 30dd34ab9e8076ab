/**
 * Keeps another site from signing a browser in as another user: the form has to repeat a random
 * value that only this host has put into the browser's cookies.
 */
import { Effect } from "effect"
import type { SecureRandom } from "effect/crypto"
import { HttpServerRequest } from "effect/http"
import { timingSafeEqual } from "node:crypto"
import { Host } from "./Host.ts"

/** Seconds; a page that was open for longer asks for the password again. */
const lifetime = 3600

const pattern = /^[A-Za-z0-9_-]{43}$/u

// The prefix binds the cookie to this host alone: no neighbour below the same domain can set it. It
// needs HTTPS, which a sandbox on the own machine does not have.
const secureName = "__Host-quittance-login"
const plainName = "quittance-login"

/** The value that the browser has already, so that two open pages both work, or a new one. */
export const ofBrowser = (random: SecureRandom.SecureRandom["Service"]) =>
  Effect.flatMap(present, (value) =>
    value === undefined
      ? Effect.map(random.randomBytes(32), (bytes) => Buffer.from(bytes).toString("base64url"))
      : Effect.succeed(value)
  )

/** Whether the form repeats the browser's value. */
export const isOfBrowser = (given: string | undefined) =>
  Effect.map(
    present,
    (value) =>
      value !== undefined &&
      given !== undefined &&
      pattern.test(given) &&
      timingSafeEqual(Buffer.from(given), Buffer.from(value))
  )

/** The header that puts the value into the browser. */
export const cookie = (issuer: string, value: string): string => {
  const secure = isSecure(issuer) ? "; Secure" : ""
  return `${nameAt(issuer)}=${value}; Path=/; Max-Age=${lifetime}; HttpOnly; SameSite=Lax${secure}`
}

const present = Effect.gen(function* () {
  const { cookies } = yield* HttpServerRequest.HttpServerRequest
  const { issuer } = yield* Host
  const value = cookies[nameAt(issuer)]
  return value !== undefined && pattern.test(value) ? value : undefined
})

const isSecure = (issuer: string) => issuer.startsWith("https:")

const nameAt = (issuer: string) => (isSecure(issuer) ? secureName : plainName)
