import { PublicApi } from "@quittance/contract/api/PublicApi"
import { FirmRegistrations } from "@quittance/operations/compliance/FirmRegistrations"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

export const FirmRegistrationsHandlers = HttpApiBuilder.group(
  PublicApi,
  "firmRegistrations",
  Effect.fn(function* (handlers) {
    const registrations = yield* FirmRegistrations

    return handlers.handleAll({
      get: ({ params }) => registrations.get(params.brokerageFirmId),
      put: ({ params, payload }) => registrations.put(params.brokerageFirmId, payload)
    })
  })
).pipe(Layer.provide(FirmRegistrations.layer))
