import { Callers, RequiredScope } from "@quittance/contract/Access"
import { Authorization } from "@quittance/contract/Authorization"
import { CurrentCaller, Forbidden, Unauthorized, UserNotFound } from "@quittance/domain/Caller"
import { headerValues } from "@quittance/http/RequestHead"
import { RequestChecks } from "@quittance/http/RequestChecks"
import { AccessTokens } from "@quittance/operations/AccessTokens"
import { Context, Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"

/** Token, then scope; the kind of caller only once the request itself is known to fit. */
export const AuthorizationLayer = Layer.effect(
  Authorization,
  Effect.gen(function* () {
    const tokens = yield* AccessTokens
    const checks = yield* RequestChecks

    return Authorization.of({
      bearer: Effect.fnUntraced(function* (handler, { credential, endpoint, group }) {
        const request = yield* HttpServerRequest.HttpServerRequest
        // With two credentials it is open who asks.
        if (headerValues(request, "authorization").length > 1) return yield* new Unauthorized()
        const caller = yield* tokens.verify(credential)
        const { callers, requiredScope } = rulesOf(endpoint, group)
        if (
          caller._tag === "Client" &&
          (requiredScope === "NONE" || !caller.scopes.has(requiredScope))
        ) {
          return yield* new Forbidden(requiredScope === "NONE" ? {} : { requiredScope })
        }
        if (!callers.includes(caller._tag)) {
          yield* checks.check(endpoint)
          return yield* caller._tag === "Client" ? new UserNotFound() : new Forbidden({})
        }
        return yield* Effect.provideService(handler, CurrentCaller, caller)
      })
    })
  })
)

/** What the contract says of a route; one that says nothing has stopped the start. */
const rulesOf = (endpoint: HttpApiEndpoint.Top, group: HttpApiGroup.Top) => {
  const annotations = Context.merge(group.annotations, endpoint.annotations)
  return {
    requiredScope: Context.getUnsafe(annotations, RequiredScope),
    callers: Context.getUnsafe(annotations, Callers)
  }
}
