import { Context, Effect, Layer, type Redacted } from "effect"
import { type HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient, HttpApiMiddleware } from "effect/http-api"
import { Authorization } from "../requests/Authorization.ts"
import { QuittanceApi } from "./QuittanceApi.ts"
import { Tenancy } from "../requests/Tenancy.ts"

/** Where the service is, for which tenant, and as whom. */
export interface ClientOptions {
  readonly baseUrl: string
  readonly tenant: string
  /** Absent: only the routes that take no token. An effect is asked again for each request. */
  readonly token?: Redacted.Redacted | Effect.Effect<Redacted.Redacted>
}

/** The groups of the interface; named, since the type spelt out is too long for a declaration. */
export interface Requests extends HttpApiClient.ForApi<typeof QuittanceApi> {}

/**
 * The interface as typed functions, one group for each area. A failure comes back as the domain's own
 * class: `Effect.catchTag("PolicyNotFound", …)`.
 */
export class QuittanceClient extends Context.Service<QuittanceClient, Requests>()(
  "@quittance/contract/QuittanceClient"
) {
  static readonly make = ({
    baseUrl,
    tenant,
    token
  }: ClientOptions): Effect.Effect<Requests, never, HttpClient.HttpClient> =>
    HttpApiClient.make(QuittanceApi, { baseUrl }).pipe(
      Effect.provide([
        HttpApiMiddleware.layerClient(Tenancy, ({ next, request }) =>
          next(HttpClientRequest.setHeader(request, "tenant", tenant))
        ),
        HttpApiMiddleware.layerClient(Authorization, ({ next, request }) => {
          if (token === undefined) return next(request)
          return Effect.flatMap(Effect.isEffect(token) ? token : Effect.succeed(token), (token) =>
            next(HttpClientRequest.bearerToken(request, token))
          )
        })
      ])
    )

  static readonly layer = (
    options: ClientOptions
  ): Layer.Layer<QuittanceClient, never, HttpClient.HttpClient> =>
    Layer.effect(QuittanceClient, QuittanceClient.make(options))
}
