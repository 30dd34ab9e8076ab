import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { clientAddress } from "../src/RequestHead.ts"

const request = (forwarded?: string) =>
  HttpServerRequest.fromWeb(
    new Request("http://api.test/", {
      headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded }
    })
  ).modify({ remoteAddress: Option.some("10.0.0.1") })

const addressOf = (proxies: number, forwarded?: string) =>
  Option.getOrUndefined(clientAddress(request(forwarded), proxies))

describe("the address that called", () => {
  it("believes no header where no proxy is trusted", () => {
    assert.strictEqual(addressOf(0, "6.6.6.6"), "10.0.0.1")
  })

  it("is what the outermost trusted proxy saw, and not what was said before", () => {
    assert.strictEqual(addressOf(1, "6.6.6.6, 203.0.113.7"), "203.0.113.7")
    assert.strictEqual(addressOf(2, "6.6.6.6, 203.0.113.7, 10.0.0.2"), "203.0.113.7")
  })

  it("has no port, which is another one with each connection", () => {
    assert.strictEqual(addressOf(1, "203.0.113.7:4711"), "203.0.113.7")
    assert.strictEqual(addressOf(1, "[2001:db8::1]:4711"), "2001:db8::1")
    assert.strictEqual(addressOf(2, "203.0.113.7:4711, 10.0.0.2:80"), "203.0.113.7")
  })

  it("is that of the connection where the proxies have said nothing", () => {
    assert.strictEqual(addressOf(1), "10.0.0.1")
    assert.strictEqual(addressOf(3, "203.0.113.7"), "10.0.0.1")
  })
})
