import { PublicApi } from "@quittance/contract/api/PublicApi"
import { pageRequest } from "@quittance/contract/requests/Parameters"
import { Approvals } from "@quittance/operations/payouts/Approvals"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

export const ApprovalsHandlers = HttpApiBuilder.group(
  PublicApi,
  "approvals",
  Effect.fn(function* (handlers) {
    const approvals = yield* Approvals

    return handlers.handleAll({
      list: ({ query }) => approvals.list(query, pageRequest(query)),
      approve: ({ params, payload }) => approvals.approve(params.approvalId, payload),
      reject: ({ params, payload }) => approvals.reject(params.approvalId, payload)
    })
  })
).pipe(Layer.provide(Approvals.layer))
