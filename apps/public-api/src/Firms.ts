import { pageRequest } from "@quittance/contract/requests/Parameters"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { Firms } from "@quittance/operations/access/Firms"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { asRequest } from "./http/AsRequest.ts"

export const FirmsHandlers = HttpApiBuilder.group(
  PublicApi,
  "firms",
  Effect.fn(function* (handlers) {
    const firms = yield* Firms

    return handlers.handleAll({
      create: (request) => asRequest(request, firms.create(request.payload)),
      list: ({ query }) => firms.list(query, pageRequest(query)),
      get: ({ params }) => firms.get(params.brokerageFirmId),
      update: (request) =>
        asRequest(request, firms.update(request.params.brokerageFirmId, request.payload))
    })
  })
).pipe(Layer.provide(Firms.layer))
