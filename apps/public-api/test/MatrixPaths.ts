/** Where a cell of the matrix is asked for: the route's path with the identifiers of the world's records. */
import type { Cell, Named, Route } from "@quittance/contract/api/PermissionMatrix"
import { alphabet, suffixLength } from "@quittance/domain/values/PrefixedId"
import { Effect } from "effect"
import type { Fixture } from "./MatrixFixture.ts"
import { fixtures, missing } from "./MatrixFixtures.ts"
import { MatrixWorld } from "./MatrixWorld.ts"

export const named = (route: Route) => `${route.method} ${route.path}`
export const fixtureOf = ({ id }: Route): Fixture => fixtures[id] ?? {}

/** An identifier of the same kind that no tenant has. */
export const missingLike = (id: string) => id.replace(/[^_]+$/u, alphabet.slice(0, suffixLength))

/** The identifier that the path of a route has for a parameter. */
export const idFor = Effect.fnUntraced(function* (route: Route, name: string, record: Named) {
  const { records } = yield* MatrixWorld
  const isNamed = name === route.parameter
  const { record: other = name } = fixtureOf(route)
  const key = isNamed ? other : name
  const own = records.OWN[key]
  if (own === undefined) {
    const place = "recordsOf in its area's file in `matrix/`"
    return yield* Effect.die(`No record for :${name} of ${named(route)}; add it by ${place}`)
  }
  if (!isNamed || record === "OWN") return own
  return record === "FOREIGN" ? records.FOREIGN[key]! : (missing[key] ?? missingLike(own))
})

/** The path, with the query of the route's fixture unless another one is given. */
export const pathOf = Effect.fnUntraced(function* (
  route: Route,
  { caller, record }: Pick<Cell, "caller" | "record">,
  given?: string
) {
  const { records } = yield* MatrixWorld
  const { query = "" } = fixtureOf(route)
  let { path } = route
  for (const [parameter, name] of route.path.matchAll(/:(\w+)/gu)) {
    path = path.replace(parameter, yield* idFor(route, name!, record))
  }
  return `${path}${given ?? (typeof query === "string" ? query : query(caller, records.OWN))}`
})
