import { PublicApi } from "@quittance/contract/api/PublicApi"
import { pageRequest } from "@quittance/contract/requests/Parameters"
import { DocumentRequests } from "@quittance/operations/documents/requests/DocumentRequests"
import { Effect, Layer, Struct } from "effect"
import { HttpApiBuilder } from "effect/http-api"

export const DocumentRequestsHandlers = HttpApiBuilder.group(
  PublicApi,
  "documentRequests",
  Effect.fn(function* (handlers) {
    const requests = yield* DocumentRequests

    return handlers.handleAll({
      list: ({ params, query }) =>
        requests.list(params.policyId, Struct.omit(query, ["count", "page"]), pageRequest(query)),
      open: ({ params, payload }) => requests.open(params.policyId, payload),
      listUnsentLetters: ({ params, query }) =>
        requests.unsent(params.documentRequestId, pageRequest(query)),
      cancel: ({ params }) => requests.cancel(params.documentRequestId)
    })
  })
).pipe(Layer.provide(DocumentRequests.layer))
