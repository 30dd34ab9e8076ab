import { PublicApi } from "@quittance/contract/api/PublicApi"
import { pageRequest } from "@quittance/contract/requests/Parameters"
import { Mandates } from "@quittance/operations/payments/Mandates"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

export const MandatesHandlers = HttpApiBuilder.group(
  PublicApi,
  "mandates",
  Effect.fn(function* (handlers) {
    const mandates = yield* Mandates

    return handlers.handleAll({
      create: ({ params, payload }) => mandates.create(params.paymentMethodId, payload),
      importSigned: ({ params, payload }) => mandates.importSigned(params.paymentMethodId, payload),
      list: ({ params, query }) => mandates.list(params.customerId, pageRequest(query)),
      get: ({ params }) => mandates.get(params.mandateId),
      text: ({ params }) => mandates.text(params.mandateId),
      sign: ({ params, payload }) => mandates.sign(params.mandateId, payload),
      confirmBank: ({ params, payload }) => mandates.confirmBank(params.mandateId, payload),
      amend: ({ params, payload }) => mandates.amend(params.mandateId, payload),
      unblock: ({ params, payload }) => mandates.unblock(params.mandateId, payload),
      cancel: ({ params }) => mandates.cancel(params.mandateId)
    })
  })
).pipe(Layer.provide(Mandates.layer))
