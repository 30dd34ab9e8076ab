import { PublicApi } from "@quittance/contract/api/PublicApi"
import { Compliance } from "@quittance/operations/compliance/Compliance"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

export const ComplianceHandlers = HttpApiBuilder.group(
  PublicApi,
  "compliance",
  Effect.fn(function* (handlers) {
    const compliance = yield* Compliance

    return handlers.handleAll({
      get: ({ params, query }) => compliance.get({ ...params, ...query }),
      accept: ({ params, payload, query }) => compliance.accept({ ...params, ...query }, payload)
    })
  })
).pipe(Layer.provide(Compliance.layer))
