import { pageRequest } from "@quittance/contract/requests/Parameters"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { PolicyLifecycle } from "@quittance/operations/lifecycle/PolicyLifecycle"
import { PolicyHistory } from "@quittance/operations/policies/PolicyHistory"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { asRequest } from "./http/AsRequest.ts"

export const ContractsHandlers = HttpApiBuilder.group(
  PublicApi,
  "policyLifecycle",
  Effect.fn(function* (handlers) {
    const lifecycle = yield* PolicyLifecycle
    const history = yield* PolicyHistory

    return handlers.handleAll({
      suspend: (request) =>
        asRequest(
          request,
          lifecycle.suspend({ ...request.params, ...request.query }, request.payload)
        ),
      reactivate: (request) =>
        asRequest(request, lifecycle.reactivate({ ...request.params, ...request.query })),
      stop: (request) =>
        asRequest(
          request,
          lifecycle.stop({ ...request.params, ...request.query }, request.payload)
        ),
      withdrawStop: (request) =>
        asRequest(request, lifecycle.withdrawStop({ ...request.params, ...request.query })),
      reinstate: (request) =>
        asRequest(
          request,
          lifecycle.reinstate({ ...request.params, ...request.query }, request.payload.gap)
        ),
      changes: ({ params, query }) =>
        asRequest({}, history.changes({ ...params, ...query }, pageRequest(query))),
      revert: (request) =>
        asRequest(request, lifecycle.revert({ ...request.params, ...request.query })),
      timeline: ({ params, query }) => asRequest({}, history.timeline({ ...params, ...query }))
    })
  })
).pipe(Layer.provide([PolicyLifecycle.layer, PolicyHistory.layer]))
