/**
 * Cross-origin calls. A listed origin may send exactly the headers of the interface; any other gets
 * none of the headers that would let a browser show it the answer.
 */
import { runningEnvironment } from "@quittance/domain/tenants/RunningEnvironment"
import { Config, Effect, Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import { getDomain } from "tldts"
import type { Environment } from "@quittance/domain/requests/Tenancy"

const allowedHeaders = "authorization, tenant, content-type, dpop"
const allowedMethods = "GET, HEAD, POST, PUT, PATCH, DELETE"
const exposedHeaders =
  "etag, x-request-id, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, idempotency-replayed, www-authenticate"
/** Seconds for which a browser need not ask again. */
const preflightFor = "600"

/** `https://shop.example`, or `https://*.example.com` for every host below it. */
const originForm = /^(https?):\/\/(\*\.)?([a-z0-9.-]+|\[[0-9a-f:]+\])(?::\d{1,5})?$/u

/**
 * What is wrong with an origin of `CORS_ORIGINS`. Everybody may have a host below a public suffix, such
 * as `com`, `co.uk` or `github.io`, so all below one is no origin. In production pages come over TLS.
 */
export const originFault = (origin: string, environment: Environment): string | undefined => {
  const [, scheme, wildcard, host] = originForm.exec(origin) ?? []
  if (host === undefined || URL.parse(origin.replace("*.", "any.")) === null) {
    return "Expected origins such as https://shop.example.com or https://*.example.com"
  }
  if (environment === "production" && scheme !== "https") {
    return "Expected origins with https in production, such as https://shop.example.com"
  }
  return wildcard !== undefined && getDomain(host, { allowPrivateDomains: true }) === null
    ? `Expected origins below a domain that one owner controls, such as https://*.example.com; anyone may register below ${host}`
    : undefined
}

const localhost = /^https?:\/\/(?:(?:[a-z0-9-]+\.)*localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/u

/** Whether a page of an origin may read our answers. */
export type AllowedOrigin = (origin: string) => boolean

/** The origins of `CORS_ORIGINS`, separated by commas; outside production any of localhost too. */
export const allowedOrigin: Effect.Effect<AllowedOrigin, Config.ConfigError> = Effect.gen(
  function* () {
    const environment = yield* runningEnvironment
    const Origin = Schema.String.check(
      Schema.makeFilter((origin) => originFault(origin, environment) ?? true)
    )
    const listed = yield* Config.Array(Origin, "CORS_ORIGINS").pipe(
      Config.withDefault<ReadonlyArray<string>>([])
    )
    const exact = new Set(listed)
    const below = listed
      .filter((origin) => origin.includes("*."))
      .map((origin) => origin.split("*"))
    return (origin) =>
      exact.has(origin) ||
      below.some(([scheme, domain]) => origin.startsWith(scheme!) && origin.endsWith(domain!)) ||
      (environment !== "production" && localhost.test(origin))
  }
)

/** Whether a request only asks what its page may send. */
export const isPreflight = ({ headers, method }: HttpServerRequest.HttpServerRequest): boolean =>
  method === "OPTIONS" &&
  headers["origin"] !== undefined &&
  headers["access-control-request-method"] !== undefined

/** Headers of any answer. */
export const headersFor = (origin: string | undefined, allowed: AllowedOrigin) =>
  origin !== undefined && allowed(origin)
    ? { "access-control-allow-origin": origin, "access-control-expose-headers": exposedHeaders }
    : {}

/** Headers of the answer to a preflight. */
export const preflightHeadersFor = (origin: string | undefined, allowed: AllowedOrigin) =>
  origin !== undefined && allowed(origin)
    ? {
        "access-control-allow-origin": origin,
        "access-control-allow-methods": allowedMethods,
        "access-control-allow-headers": allowedHeaders,
        "access-control-max-age": preflightFor
      }
    : {}
