import { pageRequest } from "@quittance/contract/requests/Parameters"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { Firms } from "@quittance/operations/access/Firms"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

export const FirmsHandlers = HttpApiBuilder.group(
  PublicApi,
  "firms",
  Effect.fn(function* (handlers) {
    const firms = yield* Firms

    return handlers.handleAll({
      create: ({ payload }) => firms.create(payload),
      list: ({ query }) => firms.list(query, pageRequest(query)),
      get: ({ params }) => firms.get(params.brokerageFirmId),
      update: ({ params, payload }) => firms.update(params.brokerageFirmId, payload)
    })
  })
).pipe(Layer.provide(Firms.layer))
