/** The line that each request leaves in the log. */
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Logger, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { AccessFacts } from "../src/AccessFacts.ts"
import * as HttpApp from "../src/HttpApp.ts"
import { TenantId } from "@quittance/domain/requests/Tenancy"

const named = Effect.gen(function* () {
  const facts = yield* AccessFacts
  facts.tenant = TenantId.make("by-host")
  return HttpServerResponse.text("x")
})

/** The annotations of the line that a request leaves. */
const lineOf = (path: string, headers: Record<string, string>) => {
  const lines: Array<Readonly<Record<string, unknown>>> = []
  const logger = Logger.map(Logger.formatStructured, ({ annotations }) => {
    lines.push(annotations)
  })
  const request = HttpServerRequest.fromWeb(
    new Request(`http://api.test${path}`, { headers })
  ).modify({ remoteAddress: Option.some("198.51.100.9") })
  return Effect.gen(function* () {
    const app = yield* HttpApp.make(HttpRouter.add("GET", "/named", named))
    yield* Effect.provideService(app, HttpServerRequest.HttpServerRequest, request)
    assert.lengthOf(lines, 1)
    return lines[0]!
  }).pipe(
    Effect.scoped,
    Effect.provide([
      Logger.layer([logger]),
      ConfigProvider.layer(ConfigProvider.fromUnknown({ TRUSTED_PROXIES: "1" }))
    ])
  )
}

describe("the line of a request in the log", () => {
  it.effect("has the tenant of the header and the address that called, whatever is answered", () =>
    Effect.gen(function* () {
      const headers = { tenant: "acme", "x-forwarded-for": "203.0.113.7:4711" }
      const line = yield* lineOf("/nowhere?email=ada@example.test", headers)
      assert.deepInclude(line, {
        tenant: "acme",
        address: "203.0.113.7",
        status: 404,
        path: "/nowhere"
      })
      assert.notInclude(JSON.stringify(line), "ada@")
    })
  )

  it.effect("has the tenant that a host names, and the address of the connection", () =>
    Effect.gen(function* () {
      const line = yield* lineOf("/named", { tenant: "header" })
      assert.deepInclude(line, { tenant: "by-host", address: "198.51.100.9", status: 200 })
    })
  )

  it.effect("cuts off what is too long", () =>
    Effect.gen(function* () {
      const long = "x".repeat(1000)
      const line = yield* lineOf("/nowhere", { tenant: long, "x-forwarded-for": long })
      assert.strictEqual(`${line["tenant"]}`.length, 40)
      assert.strictEqual(`${line["address"]}`.length, 64)
    })
  )
})
