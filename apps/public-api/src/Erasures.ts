import { PublicApi } from "@quittance/contract/api/PublicApi"
import { pageRequest } from "@quittance/contract/requests/Parameters"
import { Erasures } from "@quittance/operations/privacy/Erasures"
import { RetentionHolds } from "@quittance/operations/privacy/RetentionHolds"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

export const ErasuresHandlers = HttpApiBuilder.group(
  PublicApi,
  "erasures",
  Effect.fn(function* (handlers) {
    const erasures = yield* Erasures
    const holds = yield* RetentionHolds

    return handlers.handleAll({
      preview: ({ params }) => erasures.preview(params.privacyRequestId),
      carryOut: ({ params, payload }) => erasures.carryOut(params.privacyRequestId, payload),
      list: ({ query }) => erasures.list(pageRequest(query)),
      placeHold: ({ payload }) => holds.place(payload),
      listHolds: ({ query }) => holds.list(pageRequest(query)),
      liftHold: ({ params }) => holds.lift(params.retentionHoldId)
    })
  })
).pipe(Layer.provide([Erasures.layer, RetentionHolds.layer]))
