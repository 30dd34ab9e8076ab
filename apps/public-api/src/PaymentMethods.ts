import { PublicApi } from "@quittance/contract/api/PublicApi"
import { pageRequest } from "@quittance/contract/requests/Parameters"
import { PaymentMethods } from "@quittance/operations/payments/PaymentMethods"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

export const PaymentMethodsHandlers = HttpApiBuilder.group(
  PublicApi,
  "paymentMethods",
  Effect.fn(function* (handlers) {
    const methods = yield* PaymentMethods

    return handlers.handleAll({
      add: ({ params, payload }) => methods.add(params.customerId, payload),
      list: ({ params, query }) => methods.list(params.customerId, pageRequest(query)),
      get: ({ params }) => methods.get(params.paymentMethodId),
      account: ({ params }) => methods.account(params.paymentMethodId),
      disable: ({ params }) => methods.disable(params.paymentMethodId)
    })
  })
).pipe(Layer.provide(PaymentMethods.layer))
