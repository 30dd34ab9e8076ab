import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { allowedOrigin, originFault } from "../src/Cors.ts"

describe("the origins that may read answers", () => {
  it.each([
    "https://shop.example.com",
    "https://*.example.com",
    "https://*.shop.example.co.uk",
    "https://*.broker.github.io",
    "https://shop.example.com:8443",
    "https://*.corp.internal"
  ])("are taken in production: %s", (origin) => {
    assert.isUndefined(originFault(origin, "production"))
  })

  it.each([
    "https://*.com",
    "https://*.co.uk",
    "https://*.github.io",
    "https://*.cloudfront.net",
    "https://*.internal"
  ])("are not below what everybody may be below: %s", (origin) => {
    for (const environment of ["production", "sandbox"] as const) {
      assert.include(originFault(origin, environment), "below a domain that one owner controls")
    }
  })

  it("come over TLS in production, and need not elsewhere", () => {
    assert.include(originFault("http://shop.example.com", "production"), "https in production")
    assert.isUndefined(originFault("http://shop.example.com", "sandbox"))
  })

  it.each([
    "*",
    "https://*",
    "shop.example.com",
    "https://a.example.com/",
    "https://*.*.example.com",
    "https://*.192.0.2.1",
    "null"
  ])("are origins: not %s", (origin) => {
    assert.match(originFault(origin, "sandbox") ?? "", /^Expected origins such as/)
  })

  it.effect("stop the start with the variable's name where one is wrong", () =>
    Effect.gen(function* () {
      const variables = {
        ENVIRONMENT: "production",
        CORS_ORIGINS: "https://a.example.com,https://*.com"
      }
      const error = yield* Effect.flip(
        Effect.provide(allowedOrigin, ConfigProvider.layer(ConfigProvider.fromUnknown(variables)))
      )
      assert.include(String(error), "CORS_ORIGINS")
    })
  )
})
