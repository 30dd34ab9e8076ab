import { PublicApi } from "@quittance/contract/api/PublicApi"
import { pageRequest } from "@quittance/contract/requests/Parameters"
import { DebitRetrying } from "@quittance/operations/collections/DebitRetrying"
import { DebitSteps } from "@quittance/operations/collections/DebitSteps"
import { Debits } from "@quittance/operations/collections/Debits"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

export const DebitsHandlers = HttpApiBuilder.group(
  PublicApi,
  "debits",
  Effect.fn(function* (handlers) {
    const debits = yield* Debits
    const retrying = yield* DebitRetrying
    const steps = yield* DebitSteps

    return handlers.handleAll({
      list: ({ query }) => debits.list(query, pageRequest(query)),
      get: ({ params }) => debits.get(params.debitId),
      notify: ({ params }) => steps.notify(params.debitId),
      postpone: ({ params, payload }) => steps.postpone(params.debitId, payload),
      cancel: ({ params }) => steps.cancel(params.debitId),
      retry: ({ params }) => retrying.retry(params.debitId)
    })
  })
).pipe(Layer.provide([Debits.layer, DebitRetrying.layer, DebitSteps.layer]))
