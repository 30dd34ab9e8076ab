import { assert, describe, it } from "@effect/vitest"
import { InvalidRequest } from "@quittance/domain/requests/RequestErrors"
import { RateLimited } from "@quittance/domain/requests/RateLimit"
import { PolicyNotFound } from "@quittance/domain/policies/Policy"
import { Effect, Layer, Redacted, Schema } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { policyErrors } from "../src/policies/PolicyErrors.ts"
import { requestErrors } from "../src/requests/RequestErrors.ts"
import { QuittanceClient } from "../src/api/Client.ts"
import { PolicyId } from "@quittance/domain/values/Ids"

const policyId = PolicyId.make("policy_test_aaaaaaaaaaaaaaaaaaaaa")

/** Answers every request with one response, and keeps the request. */
const served = (status: number, body: object, headers: Record<string, string> = {}) => {
  const requests: Array<string> = []
  const client = HttpClient.make((request, url) => {
    const { authorization, tenant } = request.headers
    requests.push(`${request.method} ${url.pathname}${url.search} ${tenant} ${authorization}`)
    const answer = new Response(JSON.stringify(body), {
      status,
      headers: { "content-type": "application/json", ...headers }
    })
    return Effect.succeed(HttpClientResponse.fromWeb(request, answer))
  })
  const layer = QuittanceClient.layer({
    baseUrl: "http://api.test",
    tenant: "acme",
    token: Redacted.make("secret")
  }).pipe(Layer.provide(Layer.succeed(HttpClient.HttpClient, client)))
  return { requests, layer }
}

describe("the typed client", () => {
  it.effect("fails with the class of the domain", () => {
    const error = new PolicyNotFound({ policyId })
    const body = Schema.encodeSync(policyErrors.PolicyNotFound)(error)
    const { layer } = served(404, body)
    return QuittanceClient.use((client) =>
      client.policies.get({ params: { policyId }, query: {} })
    ).pipe(
      Effect.flip,
      Effect.map((failure) => assert.deepStrictEqual(failure, error)),
      Effect.provide(layer)
    )
  })

  it.effect("fails with the faults of a request and with a limit's headers", () =>
    Effect.gen(function* () {
      const invalid = new InvalidRequest({
        issues: [{ in: "query", path: "page", message: "Expected a value between 1 and 100" }]
      })
      const { layer } = served(400, Schema.encodeSync(requestErrors.InvalidRequest)(invalid))
      const failure = yield* QuittanceClient.use((client) =>
        client.accountingSummaries.list({ query: {} })
      ).pipe(Effect.flip, Effect.provide(layer))
      assert.deepStrictEqual(failure, invalid)

      const limited = new RateLimited({ retryAfter: 9, limit: 100, remaining: 0, reset: 9 })
      const wire = Schema.encodeSync(requestErrors.RateLimited)(limited)
      const texts = Object.entries(wire.headers).map(([name, value]) => [name, String(value)])
      const other = served(429, wire.body, Object.fromEntries(texts))
      const second = yield* QuittanceClient.use((client) =>
        client.anonymousSessions.start({ payload: {} })
      ).pipe(Effect.flip, Effect.provide(other.layer))
      assert.deepStrictEqual(second, limited)
    })
  )

  it.effect("sends tenant, token and nested parameters as the interface wants them", () =>
    Effect.gen(function* () {
      const page = {
        data: [],
        pageInfo: { first: true, last: true },
        totalCount: 0,
        currentPage: 1,
        totalPages: 0
      }
      const { layer, requests } = served(200, page)
      const summary = yield* QuittanceClient.use((client) =>
        client.accountingSummaries.list({
          query: {
            statuses: ["POLICY_STARTED", "POLICY_STOPPED"],
            productIds: ["motor-fr"],
            hasFormalNotice: false,
            order: { by: "customerName", direction: "DESC" }
          }
        })
      ).pipe(Effect.provide(layer))
      assert.deepStrictEqual(summary, page)
      const [request = ""] = requests
      assert.strictEqual(
        decodeURIComponent(request),
        "GET /accounting-summary?productIds=motor-fr&statuses=POLICY_STARTED&statuses=POLICY_STOPPED&hasFormalNotice=false&order[by]=customerName&order[direction]=DESC acme Bearer secret"
      )
    })
  )
})
