/** What every write of the contract says of requests that do not fit it. */
import { assert, layer } from "@effect/vitest"
import { parameterExampleOf } from "@quittance/contract/api/ParameterTerms"
import { routesOf } from "@quittance/contract/api/PermissionMatrix"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { Context, Effect, Layer } from "effect"
import { call, newTenant, TestLayer } from "./Api.ts"
import { fixtures } from "./MatrixFixtures.ts"

const writes = routesOf(PublicApi).filter(({ method }) => method !== "GET")
/** The headers of a body of another kind than JSON. */
const headersOf = (id: string) => fixtures[id]?.headers ?? {}
const takesJson = (id: string) => headersOf(id)["content-type"] === undefined
const withBody = writes.filter(({ id }) => fixtures[id]?.body !== undefined && takesJson(id))

/** Their bodies are documents, whose members the domain knows and the contract doesn't. */
const anyMembers: ReadonlySet<string> = new Set(["documentTemplates.publish", "products.publish"])

/** A person who may do everything, so that nothing but the request is at fault. */
class Sender extends Context.Service<Sender, { readonly tenant: string; readonly token: string }>()(
  "@quittance/public-api/test/Sender"
) {
  static readonly layer = Layer.effect(
    Sender,
    Effect.map(newTenant, ({ manager: token, tenant }) => ({ tenant, token }))
  )
}

const TestedLayer = Layer.provideMerge(Layer.orDie(Sender.layer), TestLayer)

// Real time: the database dates sessions by its own clock.
layer(TestedLayer, { excludeTestServices: true })("every write", (it) => {
  for (const { id, method, path } of writes) {
    it.effect(`lists every fault of a request: ${method} ${path}`, () =>
      Effect.gen(function* () {
        const { body, status } = yield* call(`${path.replace(/:\w+/gu, "no~body")}?dryrun=true`, {
          ...(yield* Sender),
          method,
          body: anyMembers.has(id) ? [] : { mistyped: 1 },
          headers: { ...headersOf(id), "idempotency-key": "é" }
        })
        assert.deepStrictEqual([status, body.code], [400, "INVALID_REQUEST"])
        const parts = new Set(body.details.issues.map((issue: { in: string }) => issue.in))
        assert.isTrue(parts.has("query"))
        // Of a text the use case says what is wrong with it.
        if (method !== "DELETE" && takesJson(id)) assert.isTrue(parts.has("body"))
        if (path.includes(":")) assert.isTrue(parts.has("path"))
      })
    )
  }

  for (const { id, method, path } of withBody) {
    it.effect(`refuses a body that is no JSON: ${method} ${path}`, () =>
      Effect.gen(function* () {
        const by = yield* Sender
        // With identifiers of no record: the request is checked before records are read.
        const address = path.replace(/:(\w+)/gu, (_, name: string) =>
          String(parameterExampleOf({ operationId: id, method, in: "path", name }))
        )
        const send = (body: unknown, headers = {}) =>
          call(address, { ...by, method, body, headers })
        for (const body of ["{", "[]", "null", "1", '"x"', '{"name":"\\u0000"}', "\ud800"]) {
          const answer = yield* send(body)
          assert.deepStrictEqual([answer.status, answer.body.code], [400, "INVALID_REQUEST"])
        }
        const text = yield* send("{}", { "content-type": "text/plain" })
        assert.strictEqual(text.status, 415)
        const large = yield* send(`{"a":"${"x".repeat(1_100_000)}"}`)
        assert.strictEqual(large.status, 413)
      })
    )
  }
})
