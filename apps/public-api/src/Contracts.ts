import { pageRequest } from "@quittance/contract/requests/Parameters"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { Contracts } from "@quittance/operations/lifecycle/PolicyLifecycle"
import { PolicyHistory } from "@quittance/operations/policies/PolicyHistory"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { asRequest } from "./http/AsRequest.ts"

export const ContractsHandlers = HttpApiBuilder.group(
  PublicApi,
  "contracts",
  Effect.fn(function* (handlers) {
    const contracts = yield* Contracts
    const history = yield* PolicyHistory

    return handlers.handleAll({
      suspend: (request) =>
        asRequest(
          request,
          contracts.suspend({ ...request.params, ...request.query }, request.payload)
        ),
      reactivate: (request) =>
        asRequest(request, contracts.reactivate({ ...request.params, ...request.query })),
      stop: (request) =>
        asRequest(
          request,
          contracts.stop({ ...request.params, ...request.query }, request.payload)
        ),
      withdrawStop: (request) =>
        asRequest(request, contracts.withdrawStop({ ...request.params, ...request.query })),
      reinstate: (request) =>
        asRequest(
          request,
          contracts.reinstate({ ...request.params, ...request.query }, request.payload.gap)
        ),
      changes: ({ params, query }) =>
        asRequest({}, history.changes({ ...params, ...query }, pageRequest(query))),
      revert: (request) =>
        asRequest(request, contracts.revert({ ...request.params, ...request.query })),
      timeline: ({ params, query }) => asRequest({}, history.timeline({ ...params, ...query }))
    })
  })
).pipe(Layer.provide([Contracts.layer, PolicyHistory.layer]))
