/**
 * Every route of the contract against every kind of caller, on records that are there, belong to
 * another tenant, or are not there. What is expected comes from the annotations of the contract
 * (PermissionMatrix), so a route that is added is tested with it; the files in `matrix/` say how to call it.
 */
import { assert, layer } from "@effect/vitest"
import {
  type Cell,
  cellsOf,
  expected,
  type Named,
  type Route,
  routesOf
} from "@quittance/contract/api/PermissionMatrix"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect } from "effect"
import { call } from "./Api.ts"
import { fixtures, missing } from "./MatrixFixtures.ts"
import { fixtureOf, idFor, missingLike, named, pathOf } from "./MatrixPaths.ts"
import { MatrixWorld } from "./MatrixWorld.ts"

const routes = routesOf(PublicApi)

/** What a cell of the matrix is answered, in the form in which it is expected. */
const answered = Effect.fnUntraced(function* (route: Route, cell: Cell) {
  const { tenants, token } = yield* MatrixWorld
  const isRead = route.method === "GET"
  const { records } = yield* MatrixWorld
  const { body, bodyOf, headers = {} } = fixtureOf(route)
  const tenant = tenants[cell.tenancy]
  const bearer = yield* token(route, cell.caller)
  return yield* call(yield* pathOf(route, cell), {
    method: route.method,
    ...(tenant === undefined ? {} : { tenant }),
    ...(bearer === undefined ? {} : { token: bearer }),
    headers,
    // The scope comes before anything that is sent is looked at.
    ...(isRead
      ? {}
      : {
          body:
            cell.caller === "CLIENT_WITHOUT_SCOPE"
              ? "{"
              : (bodyOf?.(cell.caller, records.OWN) ?? body)
        })
  })
})

/** What a refusal says is lacking: the scope, the action, or nothing that a grant could mend. */
const lackOf = ({ callers, permission, scope }: Route, { caller }: Cell) => {
  if (caller === "CLIENT_WITHOUT_SCOPE") return { requiredScope: scope }
  const isServed = callers.includes(caller.startsWith("USER") ? "User" : "Anonymous")
  return isServed && permission !== "NONE" ? { action: permission.action } : {}
}

/** The refusals that some requests have left in the audit trail, by the request, each as often as it is. */
const onRecord = Effect.fnUntraced(function* (requestIds: ReadonlyArray<string>) {
  const sql = yield* SuperuserSql
  const rows = yield* sql<{ readonly requestId: string }>`
    SELECT request_id FROM audit WHERE outcome = 'REFUSED' AND request_id = ANY (${[...requestIds]})
  `
  return rows.map(({ requestId }) => requestId).toSorted()
})

// Real time: the database dates sessions by its own clock.
layer(MatrixWorld.layer, { excludeTestServices: true })("the permission matrix", (it) => {
  it("knows a body for every write, and no route that is gone", () => {
    const writes = routes.filter(({ method }) => method !== "GET" && method !== "DELETE")
    assert.includeMembers(
      Object.keys(fixtures),
      writes.map(({ id }) => id),
      "add the route to its area's file in `matrix/`"
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
        const requests = { refused: new Array<string>(), others: new Array<string>() }
        for (const cell of cellsOf(route)) {
          const success = expected(route, cell)
          const { instead } = fixtureOf(route)
          const other = typeof instead === "function" ? instead(cell.caller) : instead
          const wanted = success.code === undefined ? (other ?? success) : success
          const { body, header, status } = yield* answered(route, cell)
          requests[status === 403 ? "refused" : "others"].push(header("x-request-id")!)
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
        assert.deepStrictEqual(yield* onRecord(requests.refused), requests.refused.toSorted())
        assert.deepStrictEqual(yield* onRecord(requests.others), [])
      })
    )

    const { notFound, parameter } = route
    if (notFound === undefined || parameter === undefined) continue
    it.effect(`answers for a foreign record as for a missing one: ${named(route)}`, () =>
      Effect.gen(function* () {
        for (const { caller, record, tenancy } of cellsOf(route)) {
          if (tenancy !== "OWN" || record !== "OWN") continue
          const said = Effect.fnUntraced(function* (record: Named) {
            const { body, status } = yield* answered(route, { caller, tenancy, record })
            const id = yield* idFor(route, parameter, record)
            return `${status} ${JSON.stringify(body).replaceAll(id, "?")}`
          })
          assert.strictEqual(yield* said("FOREIGN"), yield* said("MISSING"), caller)
        }
      })
    )

    const further = [...route.path.matchAll(/:(\w+)/gu)].map(([, name]) => name!).slice(1)
    for (const name of further) {
      it.effect(`says that there is no ${name} under the record: ${named(route)}`, () =>
        Effect.gen(function* () {
          const cell = { caller: "USER", tenancy: "OWN", record: "OWN" } as const
          const { tenants, token } = yield* MatrixWorld
          const id = yield* idFor(route, name, "OWN")
          const path = (yield* pathOf(route, cell)).replace(id, missing[name] ?? missingLike(id))
          const bearer = yield* token(route, cell.caller)
          const { body, status } = yield* call(path, {
            tenant: tenants.OWN,
            method: route.method,
            ...(bearer === undefined ? {} : { token: bearer }),
            ...(route.method === "GET" ? {} : { body: fixtureOf(route).body })
          })
          assert.strictEqual(status, 404)
          assert.notStrictEqual(body.code, notFound.code)
          assert.deepStrictEqual(Object.keys(body.details), [name])
        })
      )
    }
  }
})
