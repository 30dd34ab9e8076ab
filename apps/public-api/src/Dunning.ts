import { pageRequest } from "@quittance/contract/requests/Parameters"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { Dunning } from "@quittance/operations/dunning/Dunning"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

export const DunningHandlers = HttpApiBuilder.group(
  PublicApi,
  "dunning",
  Effect.fn(function* (handlers) {
    const dunning = yield* Dunning

    return handlers.handleAll({
      recordNotice: ({ params, payload }) => dunning.recordNotice(params.policyId, payload),
      listNotices: ({ params, query }) => dunning.notices(params.policyId, pageRequest(query)),
      placeHold: ({ params, payload }) => dunning.placeHold(params.policyId, payload),
      liftHold: ({ params }) => dunning.liftHold(params.policyId, params.holdId)
    })
  })
).pipe(Layer.provide(Dunning.layer))
