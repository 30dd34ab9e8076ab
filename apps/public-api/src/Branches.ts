import { pageRequest } from "@quittance/contract/Parameters"
import { PublicApi } from "@quittance/contract/PublicApi"
import { Policies } from "@quittance/operations/Policies"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { asRequest } from "./http/AsRequest.ts"

export const BranchesHandlers = HttpApiBuilder.group(
  PublicApi,
  "branches",
  Effect.fn(function* (handlers) {
    const policies = yield* Policies

    return handlers.handleAll({
      listByPolicy: ({ params, query }) =>
        asRequest({}, policies.branches(params.policyId, pageRequest(query)))
    })
  })
).pipe(Layer.provide(Policies.layer))
