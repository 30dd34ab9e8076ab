import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readForm } from "../src/LoginForm.ts"

const address = "http://acme.auth.localhost:8080/oauth2/authorize"

describe("the form of a login page", () => {
  it.effect("is missing on a page that has none, and the tenant is what to check", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(readForm("<p>404</p>", address))
      assert.include(error.message, address)
    })
  )

  it.effect("is sent where it says, with its hidden fields as they were meant", () =>
    Effect.gen(function* () {
      const form = yield* readForm(
        `<form method="post" action="/oauth2/authorize">
<input type="hidden" name="state" value="a&amp;b&quot;&#39;&lt;&gt;&amp;amp;">
<input type="hidden" name="csrf" value="x_-1">
<input id="email" name="email" type="email" value="">`,
        address
      )
      assert.deepStrictEqual(form, {
        action: address,
        fields: { state: `a&b"'<>&amp;`, csrf: "x_-1" }
      })
    })
  )
})
