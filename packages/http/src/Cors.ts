/**
 * Cross-origin calls. A listed origin may send exactly the headers of the interface; any other gets
 * none of the headers that would let a browser show it the answer.
 */
import { Environment } from "@quittance/domain/tenants/Tenant"
import { Config, Effect, Schema } from "effect"
import type { HttpServerRequest } from "effect/http"

const allowedHeaders = "authorization, tenant, content-type"
const allowedMethods = "GET, HEAD, POST, PUT, PATCH, DELETE"
const exposedHeaders =
  "etag, x-request-id, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, idempotency-replayed"
/** Seconds for which a browser need not ask again. */
const preflightFor = "600"

/** `https://shop.example`, or `https://*.example` for every host below it. */
const Origin = Schema.String.check(
  Schema.isPattern(/^https?:\/\/(?:\*\.)?[a-z0-9.-]+(?::\d{1,5})?$/u, {
    message: "Expected an origin such as https://shop.example or https://*.example"
  })
)

const localhost = /^https?:\/\/(?:(?:[a-z0-9-]+\.)*localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/u

/** Whether a page of an origin may read our answers. */
export type AllowedOrigin = (origin: string) => boolean

/** The origins of `CORS_ORIGINS`, separated by commas; outside production any of localhost too. */
export const allowedOrigin: Effect.Effect<AllowedOrigin, Config.ConfigError> = Effect.gen(
  function* () {
    const listed = yield* Config.Array(Origin, "CORS_ORIGINS").pipe(
      Config.withDefault<ReadonlyArray<string>>([])
    )
    const environment = yield* Config.schema(Environment, "ENVIRONMENT").pipe(
      Config.withDefault("sandbox" as const)
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
