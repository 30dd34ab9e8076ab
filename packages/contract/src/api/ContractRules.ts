/** What has to hold for every route of an API; one for which it does not keeps the app from starting. */
import { Context } from "effect"
import { HttpApi, type HttpApiEndpoint, type HttpApiGroup, OpenApi } from "effect/http-api"
import {
  Callers,
  Idempotent,
  RateLimitPolicy,
  RequiredPermission,
  RequiredScope
} from "../access/Access.ts"
import { Admission } from "../requests/Admission.ts"
import { AccessControl } from "../requests/AccessControl.ts"
import { Authorization } from "../requests/Authorization.ts"
import { RecentSignIn } from "../requests/RecentSignIn.ts"
import { parameterNames } from "../requests/Parameters.ts"
import { RequestContext } from "../requests/RequestContext.ts"
import { RequestValidation } from "../requests/RequestValidation.ts"
import { Tenancy } from "../requests/Tenancy.ts"

/** A route as the rules see it. */
interface Route {
  readonly endpoint: HttpApiEndpoint.Top
  readonly annotations: Context.Context<never>
  /** Names, from the innermost to the outermost. */
  readonly middlewares: ReadonlyArray<string>
}

/** Every rule that a route of the API breaks, as `METHOD /path: what is missing`. */
export const faults = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyArray<string> => {
  const found: Array<string> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, mergedAnnotations, middleware }) => {
      const middlewares = [...middleware].map(({ key }) => key)
      const route = { endpoint, annotations: mergedAnnotations, middlewares }
      for (const fault of [
        ...accessFaults(route),
        ...permissionFaults(route),
        ...writeFaults(route),
        ...checkFaults(route)
      ]) {
        found.push(`${endpoint.method} ${endpoint.path}: ${fault}`)
      }
    }
  })
  return found
}

/** Throws unless every route of the API keeps the rules. */
export const assertKept = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): void => {
  const found = faults(api)
  if (found.length > 0) throw new Error(`The contract breaks its rules.\n${found.join("\n")}`)
}

const accessFaults = ({ annotations }: Route) => [
  ...(Context.getOrUndefined(annotations, RequiredScope) === undefined
    ? ["no required scope"]
    : []),
  ...(Context.getOrUndefined(annotations, Callers) === undefined ? ["no kinds of caller"] : []),
  ...(Context.getOrUndefined(annotations, RateLimitPolicy) === undefined ? ["no rate limit"] : []),
  ...(Context.getOrUndefined(annotations, OpenApi.Summary) === undefined ? ["no summary"] : [])
]

/** Where a token is sent, a permission is asked for or it is said that none is. */
const permissionFaults = ({ annotations, endpoint }: Route) => {
  const permission = Context.getOrUndefined(annotations, RequiredPermission)
  const takesToken = Context.getOrUndefined(annotations, RequiredScope) !== "NONE"
  if (permission === undefined) {
    return takesToken ? ["no permission: annotate it with needs(…) or needsNothing"] : []
  }
  if (!takesToken) return ["a permission without a caller"]
  return permission !== "NONE" && permission.on === "RECORD" && !endpoint.path.includes(":")
    ? ["a permission on a record that the path does not name"]
    : []
}

/** A write says whether it may be repeated, and takes a key if and only if it may. */
const writeFaults = ({ annotations, endpoint }: Route) => {
  if (endpoint.method === "GET") return []
  const idempotent = Context.getOrUndefined(annotations, Idempotent)
  if (idempotent === undefined) return ["not said whether it is idempotent"]
  const takesKey =
    parameterNames(endpoint.query).includes("idempotencyKey") &&
    parameterNames(endpoint.headers).includes("idempotency-key")
  return takesKey === idempotent ? [] : ["takes a key only if it is idempotent, and then both ways"]
}

/** Changing grants, clients or their secrets needs a recent sign-in. */
const asksToSignInAgain = (annotations: Route["annotations"]) => {
  const permission = Context.getOrUndefined(annotations, RequiredPermission)
  return permission !== undefined && permission !== "NONE" && actionsOfRights.has(permission.action)
}

const actionsOfRights: ReadonlySet<string> = new Set(["permission.write", "client.write"])

/** Tenant, then token and access where there is one, then the request itself; a body without unknown members. */
const checkFaults = ({ annotations, middlewares }: Route) => {
  const takesToken = Context.getOrUndefined(annotations, RequiredScope) !== "NONE"
  const expected = [
    ...(takesToken ? [RequestContext.key, Admission.key] : []),
    RequestValidation.key,
    ...(takesToken ? [AccessControl.key, Authorization.key] : []),
    Tenancy.key
  ].join(" < ")
  const parsing = Context.getOrUndefined(annotations, HttpApi.PayloadParseOptions)
  const callers = Context.getOrUndefined(annotations, Callers) ?? []
  return [
    ...(asksToSignInAgain(annotations) && !middlewares.includes(RecentSignIn.key)
      ? ["a change of rights without RecentSignIn"]
      : []),
    ...(middlewares.join(" < ").replace(`${RecentSignIn.key} < `, "") === expected
      ? []
      : [`middlewares other than ${expected}`]),
    ...(parsing?.onExcessProperty === "error" ? [] : ["a body that may hold unknown members"]),
    ...(callers.length > 0 === takesToken ? [] : ["callers only where there is a token"])
  ]
}
