import { assert, describe, it } from "@effect/vitest"
import { EdgeApi } from "@quittance/contract/api/EdgeApi"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { ConfigProvider, Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { HttpApi, type HttpApiEndpoint } from "effect/http-api"
import { RequestChecks } from "../src/RequestChecks.ts"
import { counter } from "./CountedWork.ts"
import { hostileBodies } from "./HostileBodies.ts"

const takers: Array<HttpApiEndpoint.Top> = []
const options = {
  onGroup: () => {},
  onEndpoint: ({ endpoint }: { readonly endpoint: HttpApiEndpoint.Top }) => {
    if (endpoint.payload.size > 0 && endpoint.method !== "GET") takers.push(endpoint)
  }
}
HttpApi.reflect(PublicApi, options)
HttpApi.reflect(EdgeApi, options)

const layer = RequestChecks.layer.pipe(
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ ENVIRONMENT: "sandbox" })))
)

/** What happens to a body up to its refusal, or up to where the handler would take it. */
const judge = Effect.fnUntraced(function* (endpoint: HttpApiEndpoint.Top, body: string) {
  const { check } = yield* RequestChecks
  const [mediaType] = endpoint.payload.keys()
  const request = HttpServerRequest.fromWeb(
    new Request("http://api.test/", {
      method: endpoint.method,
      headers: { "content-type": mediaType! },
      body
    })
  )
  return yield* Effect.exit(check(endpoint)).pipe(
    Effect.provideService(HttpServerRequest.HttpServerRequest, request),
    Effect.provideService(HttpServerRequest.ParsedSearchParams, {}),
    // Only the parameters of the path are looked at.
    Effect.provideService(HttpRouter.RouteContext, { params: {}, route: undefined as never })
  )
})

/** Bytes; what grows with the square of it is beyond the bound by then. */
const size = 64 * 1024
/** Calls for each byte of a body. The dearest take 14; it was 33 while each key was held against all. */
const callsPerByte = 20

describe("the work that a body causes", () => {
  it.effect.each(
    takers.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const)
  )(
    "grows no faster than its length: %s",
    Effect.fnUntraced(
      function* ([, endpoint]) {
        const [payload] = endpoint.payload.values()
        const bodies = hostileBodies(payload!.schemas[0].ast, size)
        const count = yield* counter
        // What is done once, such as compiling, is done before.
        yield* judge(endpoint, "{}")
        count()
        for (const { shape, text } of bodies) {
          yield* judge(endpoint, text)
          assert.isBelow(count() / text.length, callsPerByte, shape)
        }
      },
      Effect.scoped,
      Effect.provide(layer)
    )
  )
})
