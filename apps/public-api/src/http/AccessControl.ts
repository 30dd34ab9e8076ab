/** What a caller may ask for at all, and the record of whatever was refused. */
import { Callers, RequiredPermission, RequiredScope } from "@quittance/contract/access/Access"
import { AccessControl } from "@quittance/contract/requests/AccessControl"
import {
  type Caller,
  CurrentCaller,
  Forbidden,
  UserNotFound
} from "@quittance/domain/requests/Caller"
import { RequestId } from "@quittance/domain/requests/RequestId"
import { RequestChecks } from "@quittance/http/RequestChecks"
import { actorOf } from "@quittance/operations/requests/Actor"
import { AuditTrail, type RefusedRequest } from "@quittance/operations/requests/AuditTrail"
import { type Visitor, VisitorLimits } from "@quittance/operations/requests/VisitorLimits"
import { Context, Effect, Layer, Option, Predicate } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** Scope, then the kind of caller; around them and all that follows, what puts a refusal on record. */
export const AccessControlLayer = Layer.effect(
  AccessControl,
  Effect.gen(function* () {
    const checks = yield* RequestChecks
    const trail = yield* AuditTrail
    const visitors = yield* VisitorLimits

    const admit = Effect.fnUntraced(function* (
      caller: Caller,
      { callers, scope }: Rules,
      endpoint: HttpApiEndpoint.Top
    ) {
      if (caller._tag === "Client" && (scope === "NONE" || !caller.scopes.has(scope))) {
        return yield* new Forbidden(scope === "NONE" ? {} : { requiredScope: scope })
      }
      if (!callers.some((kind) => kind === caller._tag)) {
        yield* checks.check(endpoint)
        return yield* caller._tag === "Client" ? new UserNotFound() : new Forbidden({})
      }
    })

    const putOnRecord = Effect.fnUntraced(function* (
      caller: Caller,
      rules: Rules,
      refused: Forbidden
    ) {
      const visitor = yield* visitorOf(caller)
      // What is counted here is refused already; the next request finds out that none is left.
      if (visitor !== undefined) yield* Effect.ignore(visitors.spend("REFUSED", visitor))
      const { params } = yield* HttpRouter.RouteContext
      const actor = actorOf(caller, yield* RequestId)
      yield* trail.refused(actor, refusalOf(rules, refused, params, yield* CurrentTenant))
    })

    /** What the path names is counted whichever of its records it is that isn't there. */
    const countMiss = Effect.fnUntraced(function* (visitor: Visitor) {
      const { params } = yield* HttpRouter.RouteContext
      const named = Object.values(params).join(" ")
      if (named !== "") yield* Effect.ignore(visitors.miss(named, visitor))
    })

    return AccessControl.of(
      Effect.fnUntraced(function* (handler, { endpoint, group }) {
        const caller = yield* CurrentCaller
        const rules = rulesOf(endpoint, group)
        const visitor = yield* visitorOf(caller)
        if (visitor !== undefined) yield* visitors.check("REFUSED", visitor)
        return yield* Effect.andThen(admit(caller, rules, endpoint), handler).pipe(
          Effect.tapError((error) => {
            if (error instanceof Forbidden) return putOnRecord(caller, rules, error)
            return visitor !== undefined && isAbsent(error) ? countMiss(visitor) : Effect.void
          })
        )
      })
    )
  })
).pipe(Layer.provide([AuditTrail.layer, VisitorLimits.layer]))

/** Whether an error says that a record isn't there; who tries identifiers gets to know nothing else. */
const isAbsent = (error: unknown): boolean =>
  Predicate.hasProperty(error, "_tag") && String(error._tag).endsWith("NotFound")

/** The caller as a visitor, from where the request comes; `undefined` where they have an account. */
const visitorOf = (caller: Caller) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ remoteAddress }): Visitor | undefined =>
    caller._tag === "Anonymous"
      ? { sessionId: caller.sessionId, address: Option.getOrElse(remoteAddress, () => "") }
      : undefined
  )

interface Rules {
  readonly scope: RequiredScope["Service"]
  readonly callers: Callers["Service"]
  readonly permission: RequiredPermission["Service"]
  /** As the contract names it, such as `policies.create`. */
  readonly route: string
  /** The parameter of the path that names the record, if any. */
  readonly parameter: string | undefined
}

const known = new WeakMap<HttpApiEndpoint.Top, Rules>()

/** What the contract says of a route; one that says nothing has stopped the start. */
const rulesOf = (endpoint: HttpApiEndpoint.Top, group: HttpApiGroup.Top): Rules => {
  const rules = known.get(endpoint) ?? readRules(endpoint, group)
  known.set(endpoint, rules)
  return rules
}

const readRules = (endpoint: HttpApiEndpoint.Top, group: HttpApiGroup.Top): Rules => {
  const annotations = Context.merge(group.annotations, endpoint.annotations)
  return {
    scope: Context.getUnsafe(annotations, RequiredScope),
    callers: Context.getUnsafe(annotations, Callers),
    permission: Context.getUnsafe(annotations, RequiredPermission),
    route: `${group.identifier}.${endpoint.identifier}`,
    parameter: /:(\w+)/u.exec(endpoint.path)?.[1]
  }
}

/** The action is the one that was lacking; where it was not for one, the one that the route asks for. */
const refusalOf = (
  { parameter, permission, route }: Rules,
  { action, requiredScope }: Forbidden,
  params: Readonly<Record<string, string | undefined>>,
  tenant: string
): RefusedRequest => {
  const named = parameter === undefined ? undefined : params[parameter]
  return {
    action: action ?? (permission === "NONE" ? route : permission.action),
    // Nothing of the request may have been looked at: a malformed identifier names no record.
    recordId: named !== undefined && identifier.test(named) ? named : tenant,
    detail: {
      route,
      lacking: requiredScope === undefined ? (action === undefined ? "CALLER" : "ACTION") : "SCOPE",
      ...(requiredScope === undefined ? {} : { scope: requiredScope })
    }
  }
}

const identifier = /^[\w.:-]{1,100}$/u
