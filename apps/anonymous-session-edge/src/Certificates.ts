import { EdgeApi } from "@quittance/contract/api/EdgeApi"
import { maximumVerified, VerificationForm } from "@quittance/domain/signatures/Verification"
import * as MultipartForm from "@quittance/http/MultipartForm"
import { Certificates } from "@quittance/operations/signatures/Certificates"
import { Verifications } from "@quittance/operations/signatures/Verifications"
import { Effect, Layer, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"

export const CertificatesHandlers = HttpApiBuilder.group(
  EdgeApi,
  "certificates",
  Effect.fn(function* (handlers) {
    const certificates = yield* Certificates
    const verifications = yield* Verifications

    return handlers.handleAll({
      list: () => certificates.list,
      verify: Effect.fn(function* ({ payload }) {
        const { remoteAddress } = yield* HttpServerRequest.HttpServerRequest
        const address = Option.getOrElse(remoteAddress, () => "")
        const form = MultipartForm.receive(payload, VerificationForm, maximumVerified)
        return yield* verifications.verify(form, address)
      })
    })
  })
).pipe(Layer.provide([Certificates.layer, Verifications.layer]))
