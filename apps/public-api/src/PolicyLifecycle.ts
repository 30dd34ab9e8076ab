import { pageRequest } from "@quittance/contract/requests/Parameters"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { PolicyLifecycle } from "@quittance/operations/lifecycle/PolicyLifecycle"
import { PolicyHistory } from "@quittance/operations/policies/PolicyHistory"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

export const ContractsHandlers = HttpApiBuilder.group(
  PublicApi,
  "policyLifecycle",
  Effect.fn(function* (handlers) {
    const lifecycle = yield* PolicyLifecycle
    const history = yield* PolicyHistory

    return handlers.handleAll({
      suspend: ({ params, payload, query }) => lifecycle.suspend({ ...params, ...query }, payload),
      reactivate: ({ params, query }) => lifecycle.reactivate({ ...params, ...query }),
      stop: ({ params, payload, query }) => lifecycle.stop({ ...params, ...query }, payload),
      withdrawStop: ({ params, query }) => lifecycle.withdrawStop({ ...params, ...query }),
      reinstate: ({ params, payload, query }) =>
        lifecycle.reinstate({ ...params, ...query }, payload),
      changes: ({ params, query }) => history.changes({ ...params, ...query }, pageRequest(query)),
      revert: ({ params, query }) => lifecycle.revert({ ...params, ...query }),
      timeline: ({ params, query }) => history.timeline({ ...params, ...query })
    })
  })
).pipe(Layer.provide([PolicyLifecycle.layer, PolicyHistory.layer]))
