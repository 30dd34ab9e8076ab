import { PublicApi } from "@quittance/contract/api/PublicApi"
import { pageRequest } from "@quittance/contract/requests/Parameters"
import { PrivacyExports } from "@quittance/operations/privacy/PrivacyExports"
import { PrivacyRequests } from "@quittance/operations/privacy/PrivacyRequests"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

export const PrivacyRequestsHandlers = HttpApiBuilder.group(
  PublicApi,
  "privacyRequests",
  Effect.fn(function* (handlers) {
    const exports = yield* PrivacyExports
    const requests = yield* PrivacyRequests

    return handlers.handleAll({
      create: ({ payload }) => requests.create(payload),
      list: ({ query }) => requests.list(pageRequest(query)),
      get: ({ params }) => requests.get(params.privacyRequestId),
      identify: ({ params, payload }) => requests.identify(params.privacyRequestId, payload),
      extend: ({ params, payload }) => requests.extend(params.privacyRequestId, payload),
      start: ({ params }) => requests.start(params.privacyRequestId),
      complete: ({ params, payload }) => requests.complete(params.privacyRequestId, payload),
      refuse: ({ params, payload }) => requests.refuse(params.privacyRequestId, payload),
      withdraw: ({ params }) => requests.withdraw(params.privacyRequestId),
      data: ({ params }) => exports.take(params.privacyRequestId),
      clocksOf: ({ params }) => requests.clocksOf(params.customerId),
      register: () => requests.register
    })
  })
).pipe(Layer.provide([PrivacyExports.layer, PrivacyRequests.layer]))
