import { assert, describe, it } from "@effect/vitest"
import { Context, Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access, idempotent, needs, needsNothing, people } from "../src/access/Access.ts"
import { Admission } from "../src/requests/Admission.ts"
import { AccessControl } from "../src/requests/AccessControl.ts"
import { Authorization } from "../src/requests/Authorization.ts"
import { assertKept, faults } from "../src/api/ContractRules.ts"
import { EdgeApi } from "../src/api/EdgeApi.ts"
import { writeHeaders, writeQuery } from "../src/requests/Parameters.ts"
import { parsing } from "../src/requests/Parsing.ts"
import { PublicApi } from "../src/api/PublicApi.ts"
import { RequestContext } from "../src/requests/RequestContext.ts"
import { RequestValidation } from "../src/requests/RequestValidation.ts"
import { Tenancy } from "../src/requests/Tenancy.ts"

const write = HttpApiEndpoint.post("write", "/things", {
  query: writeQuery,
  headers: writeHeaders,
  payload: Schema.Struct({})
}).annotate(OpenApi.Summary, "Write")

const rules = Context.merge(access({ scope: "platform/policies", callers: people }), needsNothing)

const apiOf = (endpoint: typeof write) =>
  HttpApi.make("things")
    .add(HttpApiGroup.make("things").add(endpoint))
    .middleware(RequestContext)
    .middleware(Admission)
    .middleware(RequestValidation)
    .middleware(AccessControl)
    .middleware(Authorization)
    .middleware(Tenancy)
    .annotateMerge(parsing)

describe("the rules of the contract", () => {
  it("name what a route without annotations lacks", () => {
    assert.deepStrictEqual(faults(apiOf(write)), [
      "POST /things: no required scope",
      "POST /things: no kinds of caller",
      "POST /things: no rate limit",
      "POST /things: no permission: annotate it with needs(…) or needsNothing",
      "POST /things: not said whether it is idempotent",
      "POST /things: callers only where there is a token"
    ])
    assert.throws(() => assertKept(apiOf(write)), /POST \/things: no required scope/u)
  })

  it("refuse a permission on a record that no path names, and one without a caller", () => {
    const summarized = write.annotateMerge(idempotent).annotate(OpenApi.Summary, "Write")
    const onRecord = summarized.annotateMerge(rules).annotateMerge(needs("policy.read", "RECORD"))
    assert.deepStrictEqual(faults(apiOf(onRecord)), [
      "POST /things: a permission on a record that the path does not name"
    ])
    const open = summarized
      .annotateMerge(access({ scope: "NONE", callers: [] }))
      .annotateMerge(needs("policy.create", "TENANT"))
    assert.include(faults(apiOf(open)), "POST /things: a permission without a caller")
  })

  it("refuse a route that takes no key though it may be repeated", () => {
    const bare = HttpApiEndpoint.post("write", "/things", { payload: Schema.Struct({}) })
    const api = HttpApi.make("things")
      .add(
        HttpApiGroup.make("things").add(
          bare.annotateMerge(rules).annotateMerge(idempotent).annotate(OpenApi.Summary, "Write")
        )
      )
      .middleware(RequestContext)
      .middleware(Admission)
      .middleware(RequestValidation)
      .middleware(AccessControl)
      .middleware(Authorization)
      .middleware(Tenancy)
      .annotateMerge(parsing)
    assert.deepStrictEqual(faults(api), [
      "POST /things: takes a key only if it is idempotent, and then both ways"
    ])
  })

  it("refuse a route whose checks are missing or in another order", () => {
    const endpoint = write.annotateMerge(rules).annotateMerge(idempotent)
    const api = HttpApi.make("things")
      .add(HttpApiGroup.make("things").add(endpoint))
      .middleware(Authorization)
      .middleware(RequestValidation)
      .middleware(Tenancy)
    assert.deepStrictEqual(
      faults(api).map((fault) => fault.replace(/ other than .*/u, "")),
      ["POST /things: middlewares", "POST /things: a body that may hold unknown members"]
    )
  })

  it("are kept by every route that we serve", () => {
    assert.deepStrictEqual([...faults(PublicApi), ...faults(EdgeApi)], [])
    assert.deepStrictEqual(faults(apiOf(write.annotateMerge(rules).annotateMerge(idempotent))), [])
  })
})
