import { PublicApi } from "@quittance/contract/api/PublicApi"
import { pageRequest } from "@quittance/contract/requests/Parameters"
import { Payouts } from "@quittance/operations/payouts/Payouts"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

export const PayoutsHandlers = HttpApiBuilder.group(
  PublicApi,
  "payouts",
  Effect.fn(function* (handlers) {
    const payouts = yield* Payouts

    return handlers.handleAll({
      request: ({ params, payload }) => payouts.request(params.policyId, payload),
      listByPolicy: ({ params, query }) =>
        payouts.listByPolicy(params.policyId, pageRequest(query)),
      get: ({ params }) => payouts.get(params.payoutId),
      cancel: ({ params }) => payouts.cancel(params.payoutId),
      confirmPayee: ({ params }) => payouts.confirmPayee(params.payoutId),
      recordPaid: ({ params, payload }) => payouts.recordPaid(params.payoutId, payload),
      recordFailed: ({ params, payload }) => payouts.recordFailed(params.payoutId, payload)
    })
  })
).pipe(Layer.provide(Payouts.layer))
