import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { HttpApi, type HttpApiEndpoint } from "effect/http-api"
import { readFileSync } from "node:fs"
import { openApi } from "../src/api/OpenApiDocument.ts"
import { parameterTermOf, parameterTerms } from "../src/api/ParameterTerms.ts"
import { bodyParsing, parameterParsing } from "../src/requests/Parsing.ts"
import { QuittanceApi } from "../src/api/QuittanceApi.ts"

/** The document as a reader gets it. */
const published = JSON.parse(JSON.stringify(openApi()))

interface Parameter {
  readonly name: string
  readonly in: string
  readonly example?: unknown
}

interface Operation {
  readonly operationId: string
  readonly parameters: ReadonlyArray<Parameter & Record<string, unknown>>
  readonly requestBody?: { readonly content: Record<string, { readonly example?: unknown }> }
  readonly responses: Record<string, unknown>
  readonly security: ReadonlyArray<unknown>
}

const operations = Object.entries<Record<string, Operation>>(published.paths).flatMap(
  ([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== "servers")
      .map(([method, operation]) => ({ method, path, operation }))
)

const endpoints: Array<{ readonly id: string; readonly endpoint: HttpApiEndpoint.Top }> = []
HttpApi.reflect(QuittanceApi, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, group }) =>
    endpoints.push({ id: `${group.identifier}.${endpoint.identifier}`, endpoint })
})

/** Every object of a JSON value. */
const objects = (value: unknown): ReadonlyArray<Record<string, unknown>> =>
  typeof value === "object" && value !== null
    ? [value as Record<string, unknown>, ...Object.values(value).flatMap(objects)]
    : []

describe("the OpenAPI document", () => {
  it("is the committed one (run scripts/openapi.ts when it is not)", () => {
    const committed = readFileSync(new URL("../openapi.json", import.meta.url), "utf8")
    assert.deepStrictEqual(JSON.parse(committed), published)
  })

  it("is OpenAPI 3.1 and names each operation once", () => {
    assert.strictEqual(published.openapi, "3.1.0")
    const ids = operations.map(({ operation }) => operation.operationId)
    assert.strictEqual(new Set(ids).size, ids.length)
    assert.includeMembers(
      ids,
      endpoints.map(({ id }) => id)
    )
  })

  it("holds the seven specified routes", () => {
    const routes = operations.map(({ method, path }) => `${method} ${path}`)
    assert.includeMembers(routes, [
      "get /accounting-summary",
      "post /customers/policies/{policyId}",
      "post /oauth2/token",
      "post /anonymous-session",
      "get /config",
      "get /config/{productId}",
      "get /policies/{policyId}"
    ])
  })

  it("refers to nothing that it does not hold", () => {
    const missing = objects(published)
      .flatMap(({ $ref }) => (typeof $ref === "string" ? [$ref] : []))
      .filter((reference) => {
        const steps = reference.slice(2).split("/")
        let target: unknown = published
        for (const step of steps) target = (target as Record<string, unknown> | undefined)?.[step]
        return target === undefined
      })
    assert.deepStrictEqual(missing, [])
  })

  it("declares every parameter of a path, and the tenant where there is one", () => {
    for (const { operation, path } of operations) {
      const named = [...path.matchAll(/\{(\w+)\}/gu)].map(([, name]) => name)
      const declared = operation.parameters
        .filter((parameter) => parameter["in"] === "path")
        .map(({ name }) => name)
      assert.sameMembers(declared, named, path)
    }
    for (const { id } of endpoints) {
      const found = operations.find(({ operation }) => operation.operationId === id)
      const declared: ReadonlyArray<object> = found?.operation.parameters ?? []
      assert.deepInclude(declared, { $ref: "#/components/parameters/tenant" })
    }
  })

  it("gives numbers, booleans and lists in queries the types that they have", () => {
    const { parameters } = published.paths["/accounting-summary"].get
    const types = Object.fromEntries(
      parameters.map((parameter: { name: string; schema?: { type?: string } }) => [
        parameter.name,
        parameter.schema?.type
      ])
    )
    assert.deepInclude(types, {
      count: "integer",
      page: "integer",
      hasFormalNotice: "boolean",
      unpaidDurationDays: "integer",
      statuses: "array",
      order: "object"
    })
    assert.isUndefined(types["order[by]"])
  })

  it("says of each bearer route what it demands, and that the others take no token", () => {
    const security = (path: string, method: string) => published.paths[path][method].security
    assert.deepStrictEqual(security("/accounting-summary", "get"), [
      { bearer: ["platform/billing"] },
      { dpop: ["platform/billing"] }
    ])
    assert.deepStrictEqual(security("/config", "get"), [])
    assert.strictEqual(
      published.paths["/policies/{policyId}"].get["x-required-scope"],
      "platform/policies"
    )
    assert.deepStrictEqual(published.paths["/anonymous-session"].post["x-rate-limit"], {
      limit: 100,
      windowSeconds: 3600
    })
  })

  it("lists for each route the codes that it can answer", () => {
    const codes = (path: string, method: string, status: number) =>
      Object.keys(
        published.paths[path][method].responses[status]?.content["application/json"].examples ?? {}
      )
    assert.sameMembers(codes("/policies/{policyId}", "get", 404), [
      "POLICY_NOT_FOUND",
      "BRANCH_NOT_FOUND",
      "USER_NOT_FOUND"
    ])
    assert.deepStrictEqual(codes("/accounting-summary", "get", 404), [])
    assert.deepStrictEqual(codes("/accounting-summary", "get", 413), [])
    assert.deepStrictEqual(codes("/anonymous-session", "post", 429), ["RATE_LIMITED"])
    assert.deepStrictEqual(codes("/policies", "post", 413), ["PAYLOAD_TOO_LARGE"])
  })

  it("closes what is sent and leaves open what is answered", () => {
    const { CreatePolicy, Policy } = published.components.schemas
    assert.strictEqual(CreatePolicy.additionalProperties, false)
    assert.notProperty(Policy, "additionalProperties")
  })

  it("shows bodies that their routes take", () => {
    const withBody = endpoints.filter(({ endpoint }) => endpoint.payload.size > 0)
    for (const { endpoint, id } of withBody) {
      const [schema] = [...endpoint.payload.values()].flatMap(({ schemas }) => [...schemas])
      const decode = Schema.decodeUnknownSync(schema as Schema.Decoder<unknown>, bodyParsing)
      const { operation } = operations.find(({ operation }) => operation.operationId === id)!
      const [media] = Object.values(operation.requestBody?.content ?? {})
      assert.isDefined(media?.example, id)
      assert.doesNotThrow(() => decode(media?.example), undefined, id)
    }
  })

  it("shows parameters that their routes take", () => {
    for (const { endpoint, id } of endpoints) {
      const { operation } = operations.find(({ operation }) => operation.operationId === id)!
      const examples = Object.fromEntries(
        operation.parameters.map(({ example, name }) => [name, example && String(example)])
      )
      for (const schema of [endpoint.params, endpoint.query, endpoint.headers]) {
        if (schema === undefined) continue
        const decode = Schema.decodeUnknownSync(
          Schema.toCodecArrayFromSingle(schema) as Schema.Decoder<unknown>,
          parameterParsing
        )
        assert.doesNotThrow(() => decode(examples), undefined, endpoint.path)
      }
    }
  })

  it("has a parameter for each meaning", () => {
    const used = new Set(
      operations.flatMap(({ method, operation }) =>
        operation.parameters.flatMap((parameter) => {
          const { in: place, name } = parameter
          const { operationId } = operation
          return [parameterTermOf({ operationId, method, in: place, name }), name]
        })
      )
    )
    assert.deepStrictEqual(
      Object.keys(parameterTerms).filter((term) => !used.has(term)),
      []
    )
  })
})
