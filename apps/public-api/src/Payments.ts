import { pageRequest } from "@quittance/contract/requests/Parameters"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { Payments } from "@quittance/operations/payments/Payments"
import { PaymentReturns } from "@quittance/operations/payments/PaymentReturns"
import { Refunds } from "@quittance/operations/payments/Refunds"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { asRequest } from "./http/AsRequest.ts"

export const PaymentsHandlers = HttpApiBuilder.group(
  PublicApi,
  "payments",
  Effect.fn(function* (handlers) {
    const payments = yield* Payments
    const returns = yield* PaymentReturns
    const refunds = yield* Refunds

    return handlers.handleAll({
      record: (request) =>
        asRequest(request, payments.record(request.params.invoiceId, request.payload)),
      recordReturn: (request) =>
        asRequest(request, returns.record(request.params.paymentId, request.payload)),
      recordRefund: (request) =>
        asRequest(request, refunds.record(request.params.policyId, request.payload)),
      listByPolicy: ({ params, query }) =>
        asRequest({}, payments.listByPolicy(params.policyId, pageRequest(query)))
    })
  })
).pipe(Layer.provide([PaymentReturns.layer, Payments.layer, Refunds.layer]))
