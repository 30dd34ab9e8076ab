/**
 * `GET /metrics` in the Prometheus text format: without a token on the port for those who run the program,
 * and with the scope `platform/metrics` on the one that everybody reaches. Nothing in it names a tenant.
 */
import { type Caller, Forbidden, Unauthorized } from "@quittance/domain/requests/Caller"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { catalogue, prometheusName } from "@quittance/domain/telemetry/Catalogue"
import { measureAll } from "@quittance/domain/telemetry/Series"
import { type Context, Effect, Redacted } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { errorResponse } from "../ErrorResponse.ts"
import { headerValues } from "../RequestHead.ts"
import { tenantOf } from "../Tenancy.ts"

const contentType = "text/plain; version=0.0.4; charset=utf-8"

const names = new Map<string, string>(
  Object.values(catalogue).map((metric) => [metric.name, prometheusName(metric)])
)

/** All metrics of the process, as text. */
export const text = Effect.andThen(
  measureAll,
  PrometheusMetrics.format({ metricNameMapper: (name) => names.get(name) ?? name })
)

const page = Effect.map(text, (body) => HttpServerResponse.text(body, { contentType }))

/** For a port that only those who run the program reach. */
export const management = HttpRouter.add("GET", "/metrics", page)

const scope = "platform/metrics"
const bearer = /^bearer +(\S+)$/iu

interface Tokens {
  /** The caller behind a token of the current tenant. */
  verify(token: Redacted.Redacted): Effect.Effect<Caller, Unauthorized, CurrentTenant>
}

/** Refuses a request without a token of a client with the scope. */
const admit = Effect.fnUntraced(function* (tokens: Tokens) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const given = headerValues(request, "authorization")
  const token = given.length === 1 ? bearer.exec(given[0]!)?.[1] : undefined
  if (token === undefined) return yield* new Unauthorized()
  const tenant = yield* tenantOf(request)
  const verified = tokens.verify(Redacted.make(token))
  const caller = yield* Effect.provideService(verified, CurrentTenant, tenant)
  if (caller._tag !== "Client" || !caller.scopes.has(scope)) {
    return yield* new Forbidden({ requiredScope: scope })
  }
})

/** For the port that everybody reaches; `tokens` is the service that tells who is behind a token. */
export const routes = <Self>(tokens: Context.Service<Self, Tokens>) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const verifying = yield* tokens
      yield* router.add(
        "GET",
        "/metrics",
        Effect.andThen(admit(verifying), page).pipe(
          Effect.catch((refusal) => Effect.succeed(errorResponse(refusal)))
        )
      )
    })
  )
