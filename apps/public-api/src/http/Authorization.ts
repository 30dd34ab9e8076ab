import { Authorization } from "@quittance/contract/requests/Authorization"
import { CurrentCaller, Unauthorized } from "@quittance/domain/requests/Caller"
import { headerValues } from "@quittance/http/RequestHead"
import { AccessTokens } from "@quittance/operations/tokens/AccessTokens"
import { Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"

/** Finds out who calls; what that caller may do is the next one's to say. */
export const AuthorizationLayer = Layer.effect(
  Authorization,
  Effect.map(AccessTokens, (tokens) =>
    Authorization.of({
      bearer: Effect.fnUntraced(function* (handler, { credential }) {
        const request = yield* HttpServerRequest.HttpServerRequest
        // With two credentials it is open who asks.
        if (headerValues(request, "authorization").length > 1) return yield* new Unauthorized()
        const caller = yield* tokens.verify(credential)
        return yield* Effect.provideService(handler, CurrentCaller, caller)
      })
    })
  )
)
