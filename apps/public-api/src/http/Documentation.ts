/**
 * `/openapi.json`, `/docs`, `/errors`, `/event-types` and `/schemas/*`: what the interface is, for programs
 * and for people.
 */
import { catalogue } from "@quittance/contract/api/ErrorCatalogue"
import { DocumentedApi } from "@quittance/contract/api/OpenApiDocument"
import { eventsSchema, publishedTypes } from "@quittance/domain/events/EventSchemas"
import * as HtmlPage from "@quittance/http/HtmlPage"
import * as PublishedDocument from "@quittance/http/PublishedDocument"
import { priceExchangeSchema } from "@quittance/domain/products/PriceExchange"
import { productSchema } from "@quittance/domain/products/ProductSchema"
import * as LoopTurn from "@quittance/domain/values/LoopTurn"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiScalar } from "effect/http-api"
import { createRequire } from "node:module"
import { readFile } from "node:fs/promises"
import * as ErrorsPage from "./ErrorsPage.ts"

/** As the package has it: to make it again holds everybody up for a tenth of a second. */
const specification = Effect.gen(function* () {
  const file = createRequire(import.meta.url).resolve("@quittance/contract/openapi.json")
  const text = yield* Effect.promise(() => readFile(file, "utf8"))
  const document: unknown = JSON.parse(text)
  yield* LoopTurn.next
  return HttpServerResponse.jsonUnsafe(document)
})

/** Keeps the page from linking or connecting to other hosts; the library's types lack some options. */
const quiet = {
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
  authentication: { preferredSecurityScheme: "bearer" }
}

/**
 * The reference page with its program inside, three megabytes that are loaded at the first request. The
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
  return HtmlPage.response(page, { connects: true, dynamicStyles: true })
}).pipe(Effect.scoped)

const schema = (make: () => unknown) =>
  Effect.sync(() =>
    HttpServerResponse.jsonUnsafe(make(), { contentType: "application/schema+json" })
  )

const eventTypes = Effect.sync(() => HttpServerResponse.jsonUnsafe({ types: publishedTypes() }))
const errorsAsJson = Effect.sync(() => HttpServerResponse.jsonUnsafe(catalogue))
const errorsAsPage = Effect.sync(() => HtmlPage.response(ErrorsPage.html(catalogue.errors)))

/** A browser asks for pages first. */
const isBrowser = ({ headers }: HttpServerRequest.HttpServerRequest) =>
  headers["accept"]?.includes("text/html") === true

export const DocumentationRoutes = HttpRouter.addAll(
  Effect.gen(function* () {
    const errors = {
      json: yield* PublishedDocument.answer(errorsAsJson, ["accept"]),
      page: yield* PublishedDocument.answer(errorsAsPage, ["accept"])
    }
    return [
      HttpRouter.route("GET", "/openapi.json", yield* PublishedDocument.answer(specification)),
      HttpRouter.route("GET", "/docs", yield* PublishedDocument.answer(reference)),
      HttpRouter.route(
        "GET",
        "/schemas/product.json",
        yield* PublishedDocument.answer(schema(productSchema))
      ),
      HttpRouter.route(
        "GET",
        "/schemas/price-exchange.json",
        yield* PublishedDocument.answer(schema(priceExchangeSchema))
      ),
      HttpRouter.route(
        "GET",
        "/schemas/events.json",
        yield* PublishedDocument.answer(schema(eventsSchema))
      ),
      HttpRouter.route("GET", "/event-types", yield* PublishedDocument.answer(eventTypes)),
      HttpRouter.route("GET", "/errors", (request) =>
        isBrowser(request) ? errors.page : errors.json
      )
    ]
  })
)
