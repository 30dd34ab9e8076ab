/** Which reads take `branchId`, `whenAt` and `knownAt`: what the documentation says of it is so. */
import { assert, describe, it } from "@effect/vitest"
import { HttpApi } from "effect/http-api"
import { readFileSync } from "node:fs"
import { PublicApi } from "../src/api/PublicApi.ts"
import { parameterNames } from "../src/requests/Parameters.ts"

const parameters = ["branchId", "whenAt", "knownAt"] as const

/** Every `GET` that takes one of them, with those that it takes. */
const reads = () => {
  const found: Array<string> = []
  HttpApi.reflect(PublicApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      if (endpoint.method !== "GET") return
      const names = parameterNames(endpoint.query)
      const taken = parameters.filter((name) => names.includes(name))
      if (taken.length > 0) {
        found.push(`${endpoint.path.replaceAll(/:\w+/gu, "{id}")}: ${taken.join(", ")}`)
      }
    }
  })
  return found.sort()
}

const documented = () => {
  const page = readFileSync(new URL("../../../docs/policies.md", import.meta.url), "utf8")
  const rows = page.split("\n").filter((line) => line.startsWith("| `GET "))
  return rows
    .flatMap((row) => {
      const [, named = "", ...cells] = row.split("|").map((cell) => cell.trim())
      const taken = parameters.filter((_, index) => !cells[index]!.startsWith("–"))
      const [first = "", ...further] = [...named.matchAll(/`(?:GET )?([^`?]+)[^`]*`/gu)].map(
        ([, path]) => path!
      )
      return [first, ...further.map((path) => path.replace("…", first))].map(
        (path) => `${path}: ${taken.join(", ")}`
      )
    })
    .sort()
}

describe("the parameters of a view", () => {
  it("are taken by the reads that the documentation lists", () => {
    assert.deepStrictEqual(documented(), reads())
  })
})
