import { PublicApi } from "@quittance/contract/api/PublicApi"
import { pageRequest } from "@quittance/contract/requests/Parameters"
import { SignatureRequests } from "@quittance/operations/ceremonies/SignatureRequests"
import { Signatures } from "@quittance/operations/signatures/Signatures"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

export const SignaturesHandlers = HttpApiBuilder.group(
  PublicApi,
  "signatures",
  Effect.fn(function* (handlers) {
    const signatures = yield* Signatures
    const requests = yield* SignatureRequests

    return handlers.handleAll({
      list: ({ params, query }) => signatures.list(params.policyId, pageRequest(query)),
      get: ({ params }) => signatures.get(params.signatureId),
      seal: ({ params }) => signatures.seal(params.signatureId),
      steps: ({ params }) => signatures.steps(params.signatureId),
      request: ({ params, payload, query }) => requests.request({ ...params, ...query }, payload),
      cancel: ({ params, payload }) => requests.cancel(params.signatureId, payload)
    })
  })
).pipe(Layer.provide([Signatures.layer, SignatureRequests.layer]))
