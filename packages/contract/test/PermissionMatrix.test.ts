import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { EdgeApi } from "../src/api/EdgeApi.ts"
import {
  cellsOf,
  expected,
  openRoutesOf,
  type Route,
  routesOf
} from "../src/api/PermissionMatrix.ts"
import { openApi } from "../src/api/OpenApiDocument.ts"
import { page } from "../src/api/PermissionMatrixPage.ts"
import { PublicApi } from "../src/api/PublicApi.ts"

const routes = routesOf(PublicApi)
const named = ({ method, path }: Route) => `${method} ${path}`
const offences = (wrong: (route: Route) => boolean) => routes.filter(wrong).map(named)

describe("the permission matrix", () => {
  it("is published as it is", () => {
    const published = readFileSync(
      new URL("../../../docs/permission-matrix.md", import.meta.url),
      "utf8"
    )
    assert.strictEqual(
      published,
      page(routes, openRoutesOf(EdgeApi)),
      "run node --conditions=@quittance/source packages/contract/scripts/permission-matrix.ts"
    )
  })

  it("has every route of the service once", () => {
    assert.deepStrictEqual(openRoutesOf(PublicApi), [])
    assert.deepStrictEqual(routesOf(EdgeApi), [])
    const all = [...routes, ...openRoutesOf(EdgeApi)].map(({ id }) => id)
    assert.strictEqual(new Set(all).size, all.length)
    assert.isAbove(openRoutesOf(EdgeApi).length, 0)
  })

  it("serves no client where a policy's records are named", () => {
    const record = /:(policy|customer|brokerageFirm|branch|asset|quote)Id\b/u
    assert.deepStrictEqual(
      offences(
        ({ callers, path, scope }) =>
          callers.includes("Client") && (scope === "platform/policies" || record.test(path))
      ),
      []
    )
  })

  it("knows a missing record of every route that asks for a permission on it", () => {
    assert.deepStrictEqual(
      offences(
        ({ notFound, permission }) =>
          permission !== "NONE" && permission.on === "RECORD" && notFound === undefined
      ),
      []
    )
  })

  it("answers nothing that the published document does not name", () => {
    const { paths } = openApi()
    const undocumented = routes.flatMap((route) => {
      const path = paths[route.path.replace(/:(\w+)/gu, "{$1}")]!
      const { responses } = path[route.method.toLowerCase() as "get"]!
      const answers = cellsOf(route).map((cell) => expected(route, cell))
      return answers
        .filter(({ code, status }) => {
          const response = responses[status]
          if (response === undefined) return true
          if (code === undefined) return false
          return !JSON.stringify(response.content).includes(`"#/components/examples/${code}"`)
        })
        .map(({ code, status }) => `${named(route)}: ${status} ${code}`)
    })
    assert.deepStrictEqual([...new Set(undocumented)], [])
  })

  it("refuses requests without a token, with another tenant's and with an old one", () => {
    for (const route of routes) {
      for (const cell of cellsOf(route)) {
        const { status } = expected(route, cell)
        if (["NO_TOKEN", "MALFORMED", "EXPIRED", "FOREIGN"].includes(cell.caller)) {
          assert.include([400, 401], status)
        }
        if (cell.tenancy !== "OWN") assert.include([400, 401], status)
      }
    }
  })

  it("answers for another tenant's record as for a missing one", () => {
    for (const route of routes) {
      for (const cell of cellsOf(route)) {
        if (cell.record !== "FOREIGN") continue
        assert.deepStrictEqual(
          expected(route, cell),
          expected(route, { ...cell, record: "MISSING" })
        )
      }
    }
  })

  it("keeps sessions from everything that is internal to the tenant", () => {
    const internal = new Set(["platform/admin", "platform/permissions", "platform/metrics"])
    assert.deepStrictEqual(
      offences(({ callers, scope }) => internal.has(scope) && callers.includes("Anonymous")),
      []
    )
  })
})
