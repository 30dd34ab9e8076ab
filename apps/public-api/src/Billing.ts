import { pageRequest } from "@quittance/contract/Parameters"
import { PublicApi } from "@quittance/contract/PublicApi"
import { Billing } from "@quittance/operations/Billing"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { asRequest } from "./http/AsRequest.ts"

export const BillingHandlers = HttpApiBuilder.group(
  PublicApi,
  "billing",
  Effect.fn(function* (handlers) {
    const billing = yield* Billing

    return handlers.handleAll({
      schedule: ({ params }) => asRequest({}, billing.schedule(params.policyId)),
      listInvoices: ({ params, query }) =>
        asRequest({}, billing.invoices(params.policyId, pageRequest(query))),
      getInvoice: ({ params }) => asRequest({}, billing.invoice(params.invoiceId))
    })
  })
).pipe(Layer.provide(Billing.layer))
