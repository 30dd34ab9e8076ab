/**
 * What every route answers to every kind of caller: derived from the annotations of the contract
 * alone, published as docs/permission-matrix.md, and held against the running routes, cell by cell.
 */
import { roles } from "@quittance/domain/access/Grant"
import { Context, type Schema, String } from "effect"
import { HttpApi, type HttpApiGroup, OpenApi } from "effect/http-api"
import { type CallerKind, Callers, RequiredPermission, RequiredScope } from "../access/Access.ts"
import { catalogueEntry } from "./ErrorCatalogue.ts"
import { RecentSignIn } from "../requests/RecentSignIn.ts"
import { tagOf } from "../requests/WireError.ts"

/** A route that takes no token, as the matrix sees it. */
export interface OpenRoute {
  /** Its name in the contract, such as `policies.create`. */
  readonly id: string
  /** The title of its group. */
  readonly area: string
  readonly method: string
  readonly path: string
  /** The status of an answer that is no failure. */
  readonly success: number
  /** The parameter of the path that names the record, if any. */
  readonly parameter?: string
  /** The answer when the tenant has no such record; a route without it makes what its path names. */
  readonly notFound?: Answer
}

/** A route that takes a bearer token. */
export interface Route extends OpenRoute {
  readonly scope: RequiredScope["Service"]
  readonly callers: Callers["Service"]
  readonly permission: RequiredPermission["Service"]
  /** Whether a person has to have signed in a moment ago. */
  readonly asksToSignInAgain: boolean
}

export interface Answer {
  readonly status: number
  /** Absent on success. */
  readonly code?: string
}

/** Who calls, by what the answer depends on. */
export const callers = {
  NO_TOKEN: "no token",
  MALFORMED: "a token that is none",
  EXPIRED: "an expired token",
  FOREIGN: "a token of another tenant",
  CLIENT_WITHOUT_SCOPE: "a client with every scope but the area's",
  CLIENT: "a client with the scope",
  USER: "a user whose one role has just this action, on the tenant",
  USER_ON_RECORD: "a user with just this action, on the record alone",
  USER_ELSEWHERE: "a user with just this action, on a firm that the record does not hang on",
  USER_WITHOUT: "a user with every action but this, on the tenant",
  USER_OF_LONG_AGO: "the first of them, who signed in longer ago than a quarter of an hour",
  OWNER: "the anonymous session that opened the policy",
  STRANGER: "another anonymous session"
} as const
export type MatrixCaller = keyof typeof callers

/** What the header `tenant` names. */
export const tenancies = {
  OWN: "the caller's tenant",
  OTHER: "another tenant",
  UNKNOWN: "a tenant that does not exist",
  MALFORMED: "no well-formed tenant",
  ABSENT: "nothing: the header is absent"
} as const
export type Tenancy = keyof typeof tenancies

/** Which record the path names: one of the caller's tenant, of another tenant, or none at all. */
export type Named = "OWN" | "FOREIGN" | "MISSING"

export interface Cell {
  readonly caller: MatrixCaller
  readonly tenancy: Tenancy
  readonly record: Named
}

/** Every route of an API, in the order of the contract, with all the annotations that hold for it. */
const reflected = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
) => {
  const found: Array<{
    route: OpenRoute
    annotations: Context.Context<never>
    asksToSignInAgain: boolean
  }> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group, mergedAnnotations: annotations, middleware, successes }) => {
      const [, parameter] = /:(\w+)/u.exec(endpoint.path) ?? []
      const notFound = parameter === undefined ? undefined : notFoundOf(parameter, endpoint.error)
      const asksToSignInAgain = [...middleware].some(({ key }) => key === RecentSignIn.key)
      const route: OpenRoute = {
        id: `${group.identifier}.${endpoint.identifier}`,
        area: Context.getOrUndefined(annotations, OpenApi.Title) ?? group.identifier,
        method: endpoint.method,
        path: endpoint.path,
        success: Math.min(...successes.keys()),
        ...(parameter === undefined ? {} : { parameter }),
        ...(notFound === undefined ? {} : { notFound })
      }
      found.push({ route, annotations, asksToSignInAgain })
    }
  })
  return found
}

/** The routes of an API that take a token. */
export const routesOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyArray<Route> =>
  reflected(api).flatMap(({ annotations, asksToSignInAgain, route }) => {
    const permission = Context.getOrUndefined(annotations, RequiredPermission)
    if (permission === undefined) return []
    const scope = Context.getUnsafe(annotations, RequiredScope)
    const callers = Context.getUnsafe(annotations, Callers)
    return [{ ...route, scope, callers, permission, asksToSignInAgain }]
  })

/** The routes of an API that take no token, and so need no permission. */
export const openRoutesOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyArray<OpenRoute> =>
  reflected(api).flatMap(({ annotations, route }) =>
    Context.getOrUndefined(annotations, RequiredPermission) === undefined ? [route] : []
  )

/** Of the errors that a route declares, the one of a missing record: `PolicyNotFound` of `policyId`. */
const notFoundOf = (parameter: string, declared: Iterable<Schema.Top>): Answer | undefined => {
  const tag = `${String.capitalize(parameter.replace(/(?:Id|Name)$/u, ""))}NotFound`
  return [...declared].some((schema) => tagOf(schema) === tag) ? refusal(tag) : undefined
}

/**
 * The cells of a route: all callers on all records, and every caller under every wrong tenant.
 *
 * @internal The tests of the matrix go through them.
 */
export const cellsOf = ({ parameter }: Route): ReadonlyArray<Cell> => {
  const records: ReadonlyArray<Named> =
    parameter === undefined ? ["OWN"] : ["OWN", "FOREIGN", "MISSING"]
  // Object.keys forgets the literal types of a constant record.
  const all = Object.keys(callers) as ReadonlyArray<MatrixCaller>
  const others = (Object.keys(tenancies) as ReadonlyArray<Tenancy>).filter((name) => name !== "OWN")
  return [
    ...all.flatMap((caller) =>
      records.map((record) => ({ caller, tenancy: "OWN", record }) as const)
    ),
    ...others.flatMap((tenancy) =>
      // Whose tenant is another's has no other tenant of their own.
      all
        .filter((caller) => caller !== "FOREIGN")
        .map((caller) => ({ caller, tenancy, record: "OWN" }) as const)
    )
  ]
}

/** What a route answers, in the order of its checks: tenant, token, scope, caller, record, permission. */
export const expected = (route: Route, { caller, record, tenancy }: Cell): Answer => {
  if (tenancy === "ABSENT") return refusal("MissingTenant")
  if (tenancy === "MALFORMED") return refusal("InvalidTenant")
  const kind = kindOf(caller)
  if (tenancy !== "OWN" || kind === undefined) return refusal("Unauthorized")
  if (caller === "CLIENT_WITHOUT_SCOPE") return refusal("Forbidden")
  if (!route.callers.includes(kind)) {
    return refusal(kind === "Client" ? "UserNotFound" : "Forbidden")
  }
  if (caller === "USER_OF_LONG_AGO" && route.asksToSignInAgain) return refusal("SignInTooOld")
  if (record !== "OWN" && route.notFound !== undefined) return route.notFound
  return isAllowed(route, caller) ? { status: route.success } : refusal("Forbidden")
}

/** What a route without a token answers: whatever is sent in place of one, it goes by the tenant. */
export const expectedOpen = (
  { notFound, success }: OpenRoute,
  { record, tenancy }: Pick<Cell, "record" | "tenancy">
): Answer => {
  if (tenancy === "ABSENT") return refusal("MissingTenant")
  if (tenancy === "MALFORMED") return refusal("InvalidTenant")
  if (tenancy === "UNKNOWN") return refusal("TenantNotFound")
  return record !== "OWN" && notFound !== undefined ? notFound : { status: success }
}

const refusal = (tag: string): Answer => {
  const { code, status } = catalogueEntry(tag)
  return { status, code }
}

/** The kind of caller that a good token tells; none of what is no good token. */
const kindOf = (caller: MatrixCaller): CallerKind | undefined => {
  switch (caller) {
    case "NO_TOKEN":
    case "MALFORMED":
    case "EXPIRED":
    case "FOREIGN":
      return undefined
    case "CLIENT":
    case "CLIENT_WITHOUT_SCOPE":
      return "Client"
    case "USER":
    case "USER_ON_RECORD":
    case "USER_ELSEWHERE":
    case "USER_WITHOUT":
    case "USER_OF_LONG_AGO":
      return "User"
    case "OWNER":
    case "STRANGER":
      return "Anonymous"
  }
}

/** Whether the caller's grants hold where the route asks for its action. */
const isAllowed = ({ permission }: Route, caller: MatrixCaller): boolean => {
  if (permission === "NONE") return true
  const { action, on } = permission
  switch (caller) {
    case "USER_ON_RECORD":
      return on !== "TENANT"
    case "USER_ELSEWHERE":
      return on === "ANYWHERE"
    case "USER_WITHOUT":
      return false
    case "OWNER":
      return roles.VISITOR.has(action) || (on !== "TENANT" && roles.POLICYHOLDER.has(action))
    case "STRANGER":
      return roles.VISITOR.has(action)
    default:
      return true
  }
}
