import { assert, describe, it } from "@effect/vitest"
import { urlFault } from "../../src/products/QuoteProvider.ts"

const reasons = (url: string) =>
  (["production", "sandbox"] as const).map((environment) => urlFault(url, environment)?.reason)

describe("the address of a quote provider", () => {
  it("is https, but on the machine itself in a sandbox", () => {
    for (const [url, ...expected] of [
      ["https://rates.example.com/v1/prices?tariff=7", undefined, undefined],
      ["http://rates.example.com/", "SCHEME", "SCHEME"],
      ["http://127.0.0.1:9000/", "SCHEME", undefined],
      ["http://127.1:9000/", "SCHEME", undefined],
      ["http://localhost:9000/", "SCHEME", undefined],
      ["http://[::1]:9000/", "SCHEME", undefined],
      ["http://localhost.example.com/", "SCHEME", "SCHEME"],
      ["http://127.0.0.1.example.com/", "SCHEME", "SCHEME"],
      ["http://10.0.0.1/", "SCHEME", "SCHEME"],
      ["ftp://rates.example.com/", "SCHEME", "SCHEME"],
      ["file:///etc/passwd", "SCHEME", "SCHEME"]
    ] as const) {
      assert.deepStrictEqual(reasons(url), expected, url)
    }
  })

  it("is whole, and has no password and no fragment", () => {
    for (const [url, reason] of [
      ["rates.example.com/v1", "FORM"],
      ["", "FORM"],
      ["https://rates.example.com/#v1", "FORM"],
      ["https://ada@rates.example.com/", "CREDENTIALS"],
      ["https://ada:secret@rates.example.com/", "CREDENTIALS"]
    ] as const) {
      assert.deepStrictEqual(reasons(url), [reason, reason], url)
    }
  })
})
