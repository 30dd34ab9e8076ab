import { EdgeApi } from "@quittance/contract/api/EdgeApi"
import { Certificates } from "@quittance/operations/signatures/Certificates"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

export const CertificatesHandlers = HttpApiBuilder.group(
  EdgeApi,
  "certificates",
  Effect.fn(function* (handlers) {
    const certificates = yield* Certificates

    return handlers.handleAll({ list: () => certificates.list })
  })
).pipe(Layer.provide(Certificates.layer))
