/** `/openapi.json`, `/docs`, `/errors` and `/schemas/*`: what the interface is, for programs and for people. */
import { catalogue } from "@quittance/contract/api/ErrorCatalogue"
import { document, DocumentedApi } from "@quittance/contract/api/OpenApiDocument"
import * as HtmlPage from "@quittance/http/HtmlPage"
import { priceExchangeSchema } from "@quittance/domain/products/PriceExchange"
import { productSchema } from "@quittance/domain/products/ProductSchema"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiScalar } from "effect/http-api"
import * as ErrorsPage from "./ErrorsPage.ts"

/** It changes with a release only. */
const kept = HttpServerResponse.setHeader("cache-control", "public, max-age=300")

/** Made at the first request for it: most processes are never asked. */
const openApi = Effect.sync(() => kept(HttpServerResponse.jsonUnsafe(document())))

/** What keeps the page from leading or talking to anybody but us; its types know not all of it. */
const quiet = {
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
  authentication: { preferredSecurityScheme: "bearer" }
}

/**
 * The reference page with its program inside, three megabytes that are loaded when somebody asks. The
 * framework makes it as a route; we take the page that the route answers, and put it under our policy.
 */
const reference = Effect.gen(function* () {
  const route = yield* HttpRouter.toHttpEffect(
    HttpApiScalar.layer(DocumentedApi, { path: "/docs", scalar: quiet })
  )
  const request = HttpServerRequest.fromWeb(new Request("http://localhost/docs"))
  const { body } = yield* Effect.provideService(route, HttpServerRequest.HttpServerRequest, request)
  if (body._tag !== "Uint8Array") return yield* Effect.die(new Error("The reference has no text"))
  const page = new TextDecoder().decode(body.body)
  return kept(HtmlPage.response(page, { connects: true, dynamicStyles: true }))
}).pipe(
  Effect.scoped,
  // What one browser breaks off must not be kept for the others.
  Effect.uninterruptible
)

/** Made at the first request for it, too. */
const schema = (make: () => unknown) =>
  Effect.sync(() =>
    kept(HttpServerResponse.jsonUnsafe(make(), { contentType: "application/schema+json" }))
  )

const errorsAsJson = kept(HttpServerResponse.jsonUnsafe(catalogue))
const errorsAsPage = kept(HtmlPage.response(ErrorsPage.html(catalogue.errors)))

/** A browser asks for pages first. */
const errors = ({ headers }: HttpServerRequest.HttpServerRequest) =>
  HttpServerResponse.setHeader(
    headers["accept"]?.includes("text/html") === true ? errorsAsPage : errorsAsJson,
    "vary",
    "accept"
  )

export const DocumentationRoutes = HttpRouter.addAll(
  Effect.gen(function* () {
    const documentOnce = yield* Effect.cached(openApi)
    const referenceOnce = yield* Effect.cached(reference)
    const productOnce = yield* Effect.cached(schema(productSchema))
    const exchangeOnce = yield* Effect.cached(schema(priceExchangeSchema))
    return [
      HttpRouter.route("GET", "/openapi.json", documentOnce),
      HttpRouter.route("GET", "/docs", referenceOnce),
      HttpRouter.route("GET", "/schemas/product.json", productOnce),
      HttpRouter.route("GET", "/schemas/price-exchange.json", exchangeOnce),
      HttpRouter.route("GET", "/errors", (request) => Effect.succeed(errors(request)))
    ]
  })
)
