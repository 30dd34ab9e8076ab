import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as RedirectUri from "../src/RedirectUri.ts"

const loopback = "http://127.0.0.1/callback"
const web = "https://app.example.com/callback"

describe("RedirectUri.matches", () => {
  it.each([
    [web, "https://app.example.com:8443/callback"],
    [web, "https://app.example.com/callback/"],
    [web, "https://app.example.com/callback?next=1"],
    [web, "https://app.example.com/callback#x"],
    [web, "https://app.example.com.evil.test/callback"],
    [web, "HTTPS://APP.EXAMPLE.COM/callback"],
    [web, "http://app.example.com/callback"],
    [loopback, "http://127.0.0.1:4000/other"],
    [loopback, "http://127.0.0.1:4000@evil.test/callback"],
    [loopback, "http://127.0.0.1:400000/callback"],
    [loopback, "http://127.0.0.1:65536/callback"],
    [loopback, "http://127.0.0.1:99999/callback"],
    [loopback, "http://127.0.0.1:/callback"],
    [loopback, "http://127.0.0.1.evil.test/callback"],
    [loopback, "http://localhost:4000/callback"],
    [loopback, "https://127.0.0.1:4000/callback"],
    [loopback, "http://127.0.0.1:4000"]
  ])("does not take %s for %s", (registered, given) => {
    assert.isFalse(RedirectUri.matches(registered, given))
  })

  it("takes the registered address itself", () => {
    assert.isTrue(RedirectUri.matches(web, web))
    assert.isTrue(RedirectUri.matches(loopback, loopback))
  })

  it.prop(
    "leaves the port of a loopback address free",
    [Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 65_535 }))],
    ([port]) => {
      assert.isTrue(RedirectUri.matches(loopback, `http://127.0.0.1:${port}/callback`))
      assert.isTrue(RedirectUri.matches("http://[::1]/cb", `http://[::1]:${port}/cb`))
    },
    { arbitrary: { runs: 200 } }
  )
})
