import { PublicApi } from "@quittance/contract/api/PublicApi"
import { pageRequest } from "@quittance/contract/requests/Parameters"
import { Statements } from "@quittance/operations/compliance/Statements"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

export const StatementsHandlers = HttpApiBuilder.group(
  PublicApi,
  "statements",
  Effect.fn(function* (handlers) {
    const statements = yield* Statements

    return handlers.handleAll({
      record: ({ params, payload, query }) => statements.record({ ...params, ...query }, payload),
      list: ({ params, query }) => statements.list(params.policyId, pageRequest(query)),
      confirmDeviation: ({ params, payload }) => statements.confirmDeviation(params, payload)
    })
  })
).pipe(Layer.provide(Statements.layer))
