import { pageRequest } from "@quittance/contract/requests/Parameters"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { Dunning } from "@quittance/operations/dunning/Dunning"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { asRequest } from "./http/AsRequest.ts"

export const DunningHandlers = HttpApiBuilder.group(
  PublicApi,
  "dunning",
  Effect.fn(function* (handlers) {
    const dunning = yield* Dunning

    return handlers.handleAll({
      recordNotice: (request) =>
        asRequest(request, dunning.recordNotice(request.params.policyId, request.payload)),
      listNotices: ({ params, query }) =>
        asRequest({}, dunning.notices(params.policyId, pageRequest(query))),
      placeHold: (request) =>
        asRequest(request, dunning.placeHold(request.params.policyId, request.payload)),
      liftHold: (request) =>
        asRequest(request, dunning.liftHold(request.params.policyId, request.params.holdId))
    })
  })
).pipe(Layer.provide(Dunning.layer))
