import { PublicApi } from "@quittance/contract/api/PublicApi"
import { pageRequest } from "@quittance/contract/requests/Parameters"
import { Withdrawals } from "@quittance/operations/withdrawals/Withdrawals"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

export const WithdrawalsHandlers = HttpApiBuilder.group(
  PublicApi,
  "withdrawals",
  Effect.fn(function* (handlers) {
    const withdrawals = yield* Withdrawals

    return handlers.handleAll({
      right: ({ params }) => withdrawals.right(params.policyId),
      list: ({ params, query }) => withdrawals.list(params.policyId, pageRequest(query)),
      request: ({ params, payload }) => withdrawals.request(params.policyId, payload),
      confirm: ({ params }) => withdrawals.confirm(params.withdrawalId)
    })
  })
).pipe(Layer.provide(Withdrawals.layer))
