import { assert, layer } from "@effect/vitest"
import * as HttpApp from "@quittance/http/HttpApp"
import { Context, Effect, Layer, Logger } from "effect"
import { HttpEffect, type HttpServerRequest } from "effect/http"
import { createHash } from "node:crypto"
import { gunzipSync } from "node:zlib"
import { DocumentationRoutes } from "../src/http/Documentation.ts"

class Pages extends Context.Service<
  Pages,
  { get(path: string, headers?: Record<string, string>): Effect.Effect<Response> }
>()("@quittance/public-api/test/Pages") {
  static readonly layer = Layer.effect(
    Pages,
    Effect.gen(function* () {
      const app = yield* HttpApp.make(DocumentationRoutes)
      const serve = HttpEffect.toWebHandlerWith<
        never,
        HttpServerRequest.HttpServerRequest | Effect.Services<typeof app>
      >(yield* Effect.context())(app)
      return Pages.of({
        get: (path, headers = {}) =>
          Effect.promise(() => serve(new Request(`http://api.test${path}`, { headers })))
      })
    })
  ).pipe(Layer.provide(Logger.layer([])))
}

const get = (path: string, headers?: Record<string, string>) =>
  Pages.use((pages) => pages.get(path, headers))
const textOf = (response: Response) => Effect.promise(() => response.text())

layer(Pages.layer)("the documentation", (it) => {
  it.effect("answers the OpenAPI document without tenant and token", () =>
    Effect.gen(function* () {
      const response = yield* get("/openapi.json")
      assert.strictEqual(response.status, 200)
      assert.strictEqual(JSON.parse(yield* textOf(response)).openapi, "3.1.0")
    })
  )

  it.effect("answers the error catalogue as JSON, and as a page to a browser", () =>
    Effect.gen(function* () {
      const json = yield* get("/errors", { accept: "*/*" })
      const { errors } = JSON.parse(yield* textOf(json))
      assert.include(
        errors.map(({ code }: { code: string }) => code),
        "POLICY_NOT_FOUND"
      )
      const page = yield* get("/errors", { accept: "text/html,application/xhtml+xml,*/*;q=0.8" })
      assert.include(page.headers.get("content-type") ?? "", "text/html")
      assert.include(yield* textOf(page), 'id="POLICY_NOT_FOUND"')
      assert.strictEqual(page.headers.get("vary"), "accept, accept-encoding, origin")
    })
  )

  it.effect("publishes the schema of product documents", () =>
    Effect.gen(function* () {
      const response = yield* get("/schemas/product.json")
      assert.strictEqual(response.status, 200)
      assert.strictEqual(response.headers.get("content-type"), "application/schema+json")
      assert.strictEqual(JSON.parse(yield* textOf(response)).$id, "urn:quittance:product:2")
    })
  )

  it.effect("publishes the schema of what quote providers are asked and answer", () =>
    Effect.gen(function* () {
      const response = yield* get("/schemas/price-exchange.json")
      assert.strictEqual(response.status, 200)
      assert.strictEqual(response.headers.get("content-type"), "application/schema+json")
      assert.strictEqual(JSON.parse(yield* textOf(response)).$id, "urn:quittance:price-exchange:1")
    })
  )

  it.effect("publishes the schema and the types of events", () =>
    Effect.gen(function* () {
      const response = yield* get("/schemas/events.json")
      assert.strictEqual(response.headers.get("content-type"), "application/schema+json")
      const { $id, oneOf } = JSON.parse(yield* textOf(response))
      assert.strictEqual($id, "urn:quittance:events:1")
      const { types } = JSON.parse(yield* textOf(yield* get("/event-types")))
      assert.lengthOf(types, oneOf.length)
      const started = types.find(({ type }: { readonly type: string }) => type === "policy.started")
      assert.hasAllKeys(started, ["type", "schema", "since", "dataSchema", "example"])
    })
  )

  it.effect.each(["/docs", "/errors"])("lets the page %s load nothing from elsewhere", (path) =>
    Effect.gen(function* () {
      const response = yield* get(path, { accept: "text/html" })
      const policy = response.headers.get("content-security-policy") ?? ""
      assert.include(policy, "default-src 'none'")
      assert.include(policy, "frame-ancestors 'none'")
      assert.notMatch(policy, /https?:|\*|unsafe-eval|script-src[^;]*unsafe/u)
      const html = yield* textOf(response)
      assert.notMatch(html, /<(?:script|link|img|iframe)[^>]*(?:src|href)="https?:/u)
    })
  )

  it.effect("holds the document in the reference page, once made for all", () =>
    Effect.gen(function* () {
      const [first, second] = yield* Effect.all([get("/docs"), get("/docs")], { concurrency: 2 })
      const pages = [yield* textOf(first), yield* textOf(second)]
      assert.strictEqual(pages[0], pages[1])
      assert.include(pages[0], "/customers/policies/{policyId}")
    })
  )

  it.effect.each([
    "/openapi.json",
    "/docs",
    "/errors",
    "/schemas/product.json",
    "/schemas/price-exchange.json",
    "/schemas/events.json",
    "/event-types"
  ])("sends %s compressed, and not again to who has it", (path) =>
    Effect.gen(function* () {
      const headers = { "accept-encoding": "gzip" }
      const first = yield* get(path, headers)
      const bytes = new Uint8Array(yield* Effect.promise(() => first.arrayBuffer()))
      assert.strictEqual(first.headers.get("content-encoding"), "gzip")
      const plain = yield* textOf(yield* get(path))
      assert.strictEqual(gunzipSync(bytes).toString(), plain)
      assert.isBelow(bytes.length, plain.length / 2)
      const etag = first.headers.get("etag") ?? ""
      assert.strictEqual(etag, `"${createHash("sha256").update(bytes).digest("base64url")}"`)
      const again = yield* get(path, { ...headers, "if-none-match": etag })
      assert.strictEqual(again.status, 304)
    })
  )
})
