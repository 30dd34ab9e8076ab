/**
 * Every route of the contract against every kind of caller, on records that are there, belong to
 * another tenant, or are not there. What is expected comes from the annotations of the contract
 * (PermissionMatrix), so a route that is added is tested with it; MatrixFixtures says how to call it.
 */
import { assert, layer } from "@effect/vitest"
import {
  type Cell,
  cellsOf,
  expected,
  type Route,
  routesOf
} from "@quittance/contract/PermissionMatrix"
import { PublicApi } from "@quittance/contract/PublicApi"
import { alphabet, suffixLength } from "@quittance/domain/PrefixedId"
import { Effect } from "effect"
import { call } from "./Api.ts"
import { type Fixture, fixtures, missing } from "./MatrixFixtures.ts"
import { MatrixWorld } from "./MatrixWorld.ts"

const routes = routesOf(PublicApi)
const named = (route: Route) => `${route.method} ${route.path}`
const fixtureOf = ({ id }: Route): Fixture => fixtures[id] ?? {}

/** An identifier of the same kind that no tenant has. */
const missingLike = (id: string) => id.replace(/[^_]+$/u, alphabet.slice(0, suffixLength))

const pathOf = Effect.fnUntraced(function* (route: Route, { caller, record }: Cell) {
  const { records } = yield* MatrixWorld
  const { query = "", record: named } = fixtureOf(route)
  const idOf = (name: string) => {
    // A name that is no record's has no identifier below.
    const key = (name === route.parameter ? (named ?? name) : name) as keyof typeof records.OWN
    const own = records.OWN[key]
    assert.isString(own, `MatrixWorld has no record for :${name} of ${named}`)
    if (name !== route.parameter || record === "OWN") return own
    return record === "FOREIGN" ? records.FOREIGN[key] : (missing[name] ?? missingLike(own))
  }
  return `${route.path.replace(/:(\w+)/gu, (_, name: string) => idOf(name))}${
    typeof query === "string" ? query : query(caller, records.OWN)
  }`
})

/** What a cell of the matrix is answered, in the form in which it is expected. */
const answered = Effect.fnUntraced(function* (route: Route, cell: Cell) {
  const { tenants, token } = yield* MatrixWorld
  const isRead = route.method === "GET"
  const { body } = fixtureOf(route)
  const tenant = tenants[cell.tenancy]
  const bearer = yield* token(route, cell.caller)
  const answer = yield* call(yield* pathOf(route, cell), {
    method: route.method,
    ...(tenant === undefined ? {} : { tenant }),
    ...(bearer === undefined ? {} : { token: bearer }),
    // The scope comes before anything that is sent is looked at.
    ...(isRead ? {} : { body: cell.caller === "CLIENT_WITHOUT_SCOPE" ? "{" : body })
  })
  return answer
})

/** What a refusal says is lacking: the scope, the action, or nothing that a grant could mend. */
const lackOf = ({ callers, permission, scope }: Route, { caller }: Cell) => {
  if (caller === "CLIENT_WITHOUT_SCOPE") return { requiredScope: scope }
  const isServed = callers.includes(caller.startsWith("USER") ? "User" : "Anonymous")
  return isServed && permission !== "NONE" ? { action: permission.action } : {}
}

// Real time: the database dates sessions by its own clock.
layer(MatrixWorld.layer, { excludeTestServices: true })("the permission matrix", (it) => {
  it("knows a body for every write, and no route that is gone", () => {
    const writes = routes.filter(({ method }) => method !== "GET" && method !== "DELETE")
    assert.includeMembers(
      Object.keys(fixtures),
      writes.map(({ id }) => id),
      "add the route to MatrixFixtures"
    )
    assert.includeMembers(
      routes.map(({ id }) => id),
      Object.keys(fixtures)
    )
  })

  for (const route of routes) {
    it.effect(`answers every caller: ${named(route)}`, () =>
      Effect.gen(function* () {
        const wrong: Array<string> = []
        for (const cell of cellsOf(route)) {
          const wanted = expected(route, cell)
          const { body, status } = yield* answered(route, cell)
          if (status !== wanted.status || body?.code !== wanted.code) {
            const { caller, record, tenancy } = cell
            const got = body?.code === undefined ? status : `${status} ${body.code}`
            const want = [wanted.status, wanted.code ?? ""].join(" ").trim()
            wrong.push(`${caller} · ${tenancy} tenant · ${record} record: ${got}, not ${want}`)
          } else if (status >= 400) {
            assert.hasAllKeys(body, ["code", "message", "details"])
          }
          if (status === 403) assert.deepStrictEqual(body.details, lackOf(route, cell))
        }
        assert.deepStrictEqual(wrong, [])
      })
    )
  }
})
