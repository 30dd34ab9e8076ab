import { PublicApi } from "@quittance/contract/api/PublicApi"
import { pageRequest } from "@quittance/contract/requests/Parameters"
import { DebitSteps } from "@quittance/operations/collections/DebitSteps"
import { Debits } from "@quittance/operations/collections/Debits"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

export const DebitsHandlers = HttpApiBuilder.group(
  PublicApi,
  "debits",
  Effect.fn(function* (handlers) {
    const debits = yield* Debits
    const steps = yield* DebitSteps

    return handlers.handleAll({
      list: ({ query }) => debits.list(query, pageRequest(query)),
      get: ({ params }) => debits.get(params.debitId),
      notify: ({ params }) => steps.notify(params.debitId),
      postpone: ({ params, payload }) => steps.postpone(params.debitId, payload),
      cancel: ({ params }) => steps.cancel(params.debitId)
    })
  })
).pipe(Layer.provide([Debits.layer, DebitSteps.layer]))
