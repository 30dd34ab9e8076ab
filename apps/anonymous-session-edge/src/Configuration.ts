import { EdgeApi } from "@quittance/contract/api/EdgeApi"
import { Configuration } from "@quittance/operations/products/Configuration"
import { sha256 } from "@quittance/operations/values/Sha256"
import { Effect, Layer } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"

export const ConfigurationHandlers = HttpApiBuilder.group(
  EdgeApi,
  "configuration",
  Effect.fn(function* (handlers) {
    const configuration = yield* Configuration

    return handlers.handleAll({
      tenant: () => Effect.flatMap(configuration.tenant, cached),
      product: ({ params }) => Effect.flatMap(configuration.product(params.productId), cached)
    })
  })
).pipe(Layer.provide(Configuration.layer))

/**
 * A configuration is the same for everybody and changes when a product version is published: caches
 * keep it for a minute and ask again with its etag.
 */
const cached = Effect.fnUntraced(function* (body: object) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const text = JSON.stringify(body)
  const etag = `"${sha256(text).slice(0, 32)}"`
  const headers = { etag, "cache-control": "public, max-age=60", vary: "tenant" }
  const known = request.headers["if-none-match"]?.split(",").map((tag) => tag.trim())
  return known?.some((tag) => tag === etag || tag === `W/${etag}` || tag === "*") === true
    ? HttpServerResponse.empty({ status: 304, headers })
    : HttpServerResponse.text(text, { contentType: "application/json", headers })
})
