import { PublicApi } from "@quittance/contract/api/PublicApi"
import { pageRequest } from "@quittance/contract/requests/Parameters"
import { Ceremonies } from "@quittance/operations/ceremonies/Ceremonies"
import { CeremonySigning } from "@quittance/operations/ceremonies/CeremonySigning"
import { SignatureRequests } from "@quittance/operations/ceremonies/SignatureRequests"
import { SignerCare } from "@quittance/operations/ceremonies/SignerCare"
import { EvidenceFiles } from "@quittance/operations/signatures/EvidenceFiles"
import { Signatures } from "@quittance/operations/signatures/Signatures"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { archiveAnswer } from "./http/ContentAnswer.ts"

export const SignaturesHandlers = HttpApiBuilder.group(
  PublicApi,
  "signatures",
  Effect.fn(function* (handlers) {
    const signatures = yield* Signatures
    const care = yield* SignerCare
    const evidence = yield* EvidenceFiles
    const requests = yield* SignatureRequests
    const ceremonies = yield* Ceremonies
    const signing = yield* CeremonySigning

    return handlers.handleAll({
      list: ({ params, query }) => signatures.list(params.policyId, pageRequest(query)),
      get: ({ params }) => signatures.get(params.signatureId),
      seal: ({ params }) => signatures.seal(params.signatureId),
      steps: ({ params }) => signatures.steps(params.signatureId),
      evidence: ({ params: { signatureId } }) =>
        Effect.map(evidence.read(signatureId), (bytes) =>
          archiveAnswer(`${signatureId}.zip`, bytes)
        ),
      request: ({ params, payload, query }) => requests.request({ ...params, ...query }, payload),
      cancel: ({ params, payload }) => requests.cancel(params.signatureId, payload),
      correctSigner: ({ params, payload }) => care.correct(params, payload),
      remind: ({ params, payload }) => care.remind(params.signatureId, payload),
      linkSigner: ({ params }) => care.link(params),
      open: ({ params }) => ceremonies.open(params),
      sendCode: ({ params }) => ceremonies.sendCode(params),
      prove: ({ params, payload }) => ceremonies.prove(params, payload),
      sign: ({ params, payload }) => signing.sign(params, payload),
      decline: ({ params, payload }) => ceremonies.decline(params, payload)
    })
  })
).pipe(
  Layer.provide([
    Ceremonies.layer,
    CeremonySigning.layer,
    EvidenceFiles.layer,
    SignerCare.layer,
    Signatures.layer,
    SignatureRequests.layer
  ])
)
