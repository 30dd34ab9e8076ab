import * as NodeServices from "@effect/platform-node/NodeServices"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { pageRequest } from "@quittance/contract/requests/Parameters"
import { PaymentFiles } from "@quittance/operations/collections/PaymentFiles"
import { Effect, Layer, Struct } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { fileAnswer } from "./http/ContentAnswer.ts"

export const PaymentFilesHandlers = HttpApiBuilder.group(
  PublicApi,
  "paymentFiles",
  Effect.fn(function* (handlers) {
    const files = yield* PaymentFiles

    return handlers.handleAll({
      list: ({ query }) => files.list(Struct.omit(query, ["count", "page"]), pageRequest(query)),
      get: ({ params }) => files.get(params.paymentFileId),
      items: ({ params, query }) => files.items(params.paymentFileId, pageRequest(query)),
      content: ({ params }) =>
        Effect.map(files.content(params.paymentFileId), ({ bytes, messageId }) =>
          fileAnswer(`${messageId}.xml`, bytes)
        ),
      markDelivered: ({ params }) => files.markDelivered(params.paymentFileId),
      cancel: ({ params }) => files.cancel(params.paymentFileId)
    })
  })
).pipe(Layer.provide(PaymentFiles.layer), Layer.provide(NodeServices.layer))
