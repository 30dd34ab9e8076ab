import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Redacted } from "effect"
import { address, fault } from "../../src/sql/DatabaseAddress.ts"

describe("the address of a database", () => {
  it.each([
    "postgres://user:secret@db.example.com/quittance",
    "postgresql://user:se%40cret@db.example.com:5433/quittance?sslmode=verify-full",
    "postgres://[::1]:5432/quittance",
    "postgres:///quittance?host=/var/run/postgresql&user=me",
    "postgres://db.example.com"
  ])("takes %s", (text) => assert.isUndefined(fault(text)))

  it.each([
    ["", /^Expected an address such as postgres:/],
    ["db.example.com", /^Expected an address such as postgres:/],
    ["mysql://user:secret@db/quittance", /^Expected an address such as postgres:/],
    ["postgres://user:sec/ret@db.example.com/quittance", /%2F/],
    ["postgres://user:secret%@db.example.com/quittance", /%25/],
    ["postgres://user:sec#ret@db.example.com/quittance", /%2F|#/],
    ["postgres://user:secret@db.example.com:99999/quittance", /^Expected an address such as/],
    ["postgres://user:secret@db.example.com:0/quittance", /port/],
    ["postgres://user:secret@db/quittance?ssl=true", /sslmode=verify-full/],
    ["postgres://user:secret@db/quittance?sslMode=require", /sslmode=verify-full/],
    ["postgres://user:secret@db/quittance?sslmode=on", /sslmode to be one of/],
    ["postgres://user:secret@db/quittance?sslmode=require&sslmode=disable", /at most once/],
    ["postgres://user:secret@db/quittance?sslrootcert=ca.pem", /no parameters but/],
    ["postgres://user:secret@db/quittance?connect_timeout=3", /no parameters but/],
    ["postgres://user:secret@db/quittance?port=http", /port/],
    ["postgres:///quittance", /host/]
  ])("refuses “%s”, and repeats nothing of it", (text, expected) => {
    const problem = fault(text) ?? ""
    assert.match(problem, expected)
    assert.notMatch(problem, /sec\W?ret|example\.com|ca\.pem/)
  })

  it.effect("is never shown, right or wrong", () =>
    Effect.gen(function* () {
      const read = (url: string) =>
        address("DATABASE_URL").pipe(
          Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ DATABASE_URL: url })))
        )
      const right = "postgres://user:topsecret@db/quittance"
      const url = yield* read(right)
      assert.strictEqual(Redacted.value(url), right)
      assert.notInclude(JSON.stringify(url), "topsecret")
      const wrong = yield* Effect.flip(read("postgres://user:topsecret@db:port/quittance"))
      for (const shown of [String(wrong), JSON.stringify(wrong), wrong.message]) {
        assert.notInclude(shown, "topsecret")
      }
    })
  )
})
