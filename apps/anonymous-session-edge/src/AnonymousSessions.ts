import { EdgeApi } from "@quittance/contract/api/EdgeApi"
import { AnonymousSessions } from "@quittance/operations/sessions/AnonymousSessions"
import { Effect, Layer, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"

export const AnonymousSessionsHandlers = HttpApiBuilder.group(
  EdgeApi,
  "anonymousSessions",
  Effect.fn(function* (handlers) {
    const sessions = yield* AnonymousSessions

    return handlers.handleAll({
      start: Effect.fn(function* ({ payload }) {
        const { remoteAddress } = yield* HttpServerRequest.HttpServerRequest
        const address = Option.getOrElse(remoteAddress, () => "")
        return yield* sessions.start(payload, address)
      })
    })
  })
).pipe(Layer.provide(AnonymousSessions.layer))
