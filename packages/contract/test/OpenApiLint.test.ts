import { assert, describe, it } from "@effect/vitest"
import { createConfig, lintFromString } from "@redocly/openapi-core"
import { Effect } from "effect"
import { openApi } from "../src/api/OpenApiDocument.ts"

const lint = (document: unknown) =>
  Effect.promise(async () => {
    const config = await createConfig({
      extends: ["recommended-strict"],
      rules: {
        // `/customers/policies/{policyId}` is specified. Identifiers tell the paths apart by their prefixes.
        "no-ambiguous-paths": "off",
        // Routes that take no input have no failure of the caller's own; `default` has the others.
        "operation-4xx-response": "off"
      }
    })
    const found = await lintFromString({ source: JSON.stringify(document), config })
    return found.map(({ location, message, ruleId }) => ({
      ruleId,
      message,
      at: location[0]?.pointer
    }))
  })

describe("a linter of OpenAPI", () => {
  it.effect(
    "finds nothing in the document",
    Effect.fnUntraced(function* () {
      assert.deepStrictEqual(yield* lint(openApi()), [])
    })
  )

  it.effect(
    "finds what is wrong in another one",
    Effect.fnUntraced(function* () {
      const { servers: _servers, ...rest } = openApi()
      const found = yield* lint({ ...rest, openapi: "3.1.0", tags: [{ name: "Bare" }] })
      const rules = new Set(found.map(({ ruleId }) => ruleId))
      assert.isTrue(rules.has("tag-description"))
    })
  )
})
