/** Which routes take a key, an etag and a dry run, as their commands are told. */
import { assert, describe, it } from "@effect/vitest"
import { HttpApi, type HttpApiEndpoint } from "effect/http-api"
import { PublicApi } from "../src/api/PublicApi.ts"
import { RequestContext } from "../src/requests/RequestContext.ts"
import { steeringOf } from "../src/access/Steering.ts"

const routes = new Map<string, HttpApiEndpoint.Top>()
HttpApi.reflect(PublicApi, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, group }) => {
    routes.set(`${group.identifier}.${endpoint.identifier}`, endpoint)
  }
})

const of = (route: string) => steeringOf(routes.get(route)!)

describe("the context of a request", () => {
  it("is given to every route, to the handler last", () => {
    for (const [route, { middlewares }] of routes) {
      const [innermost, next] = [...middlewares].map(({ key }) => key)
      assert.include([innermost, next], RequestContext.key, route)
    }
  })

  it("holds of each route what its contract takes", () => {
    const none = { idempotencyKey: false, ifMatch: false, dryRun: false, streams: false }
    assert.deepStrictEqual(of("policies.get"), none)
    assert.deepStrictEqual(of("policies.calculateQuote"), none)
    const all = { ...none, idempotencyKey: true, ifMatch: true, dryRun: true }
    assert.deepStrictEqual(of("policies.sign"), all)
    assert.deepStrictEqual(of("policies.create"), { ...all, ifMatch: false })
    assert.deepStrictEqual(of("payments.record"), { ...none, idempotencyKey: true })
    assert.deepStrictEqual(of("documents.upload"), {
      ...none,
      idempotencyKey: true,
      streams: true
    })
    // Its answer holds a secret, which is not kept for a repetition.
    assert.deepStrictEqual(of("clients.create"), { ...none, dryRun: true })
  })

  it("is nothing that a read can be steered by", () => {
    for (const [route, endpoint] of routes) {
      if (endpoint.method !== "GET") continue
      assert.notInclude(Object.values(steeringOf(endpoint)), true, route)
    }
  })
})
