/** Every attack that we know of is tested under its id. */
import { assert, describe, it } from "@effect/vitest"
import { read, sources } from "./Sources.ts"

interface SecurityCase {
  readonly id: string
  readonly area: string
  readonly title: string
}

// Written by us, next to this file.
const cases = JSON.parse(read("test/security-cases.json")) as ReadonlyArray<SecurityCase>

/** The ids in the tests' code; outside of comments they can stand in names and texts only. */
const named = new Set(
  sources("{packages,apps}/*/test/**/*.test.ts").flatMap(({ code }) =>
    [...code.matchAll(/\b[A-Z]{2}-\d{2}\b/gu)].map(([id]) => id)
  )
)

describe("the security cases", () => {
  it("have an id each", () => {
    assert.strictEqual(new Set(cases.map(({ id }) => id)).size, cases.length)
    assert.isAbove(cases.length, 80)
  })

  it("are each the name of a test", () => {
    const missing = cases.filter(({ id }) => !named.has(id))
    assert.deepStrictEqual(
      missing.map(({ area, id, title }) => `${id} (${area}): ${title}`),
      []
    )
  })
})
