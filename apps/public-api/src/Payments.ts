import { pageRequest } from "@quittance/contract/requests/Parameters"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { Payments } from "@quittance/operations/payments/Payments"
import { PaymentInstructions } from "@quittance/operations/payments/PaymentInstructions"
import { PaymentReturns } from "@quittance/operations/payments/PaymentReturns"
import { Refunds } from "@quittance/operations/payments/Refunds"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

export const PaymentsHandlers = HttpApiBuilder.group(
  PublicApi,
  "payments",
  Effect.fn(function* (handlers) {
    const instructions = yield* PaymentInstructions
    const payments = yield* Payments
    const returns = yield* PaymentReturns
    const refunds = yield* Refunds

    return handlers.handleAll({
      record: ({ params, payload }) => payments.record(params.invoiceId, payload),
      recordReturn: ({ params, payload }) => returns.record(params.paymentId, payload),
      recordRefund: ({ params, payload }) => refunds.record(params.policyId, payload),
      instructions: ({ params }) => instructions.of(params.invoiceId),
      listByPolicy: ({ params, query }) =>
        payments.listByPolicy(params.policyId, pageRequest(query))
    })
  })
).pipe(
  Layer.provide([PaymentInstructions.layer, PaymentReturns.layer, Payments.layer, Refunds.layer])
)
