import { pageRequest } from "@quittance/contract/requests/Parameters"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { Billing } from "@quittance/operations/billing/Billing"
import { ManualCharges } from "@quittance/operations/billing/ManualCharges"
import { ParkedPolicies } from "@quittance/operations/worker/ParkedPolicies"
import { InvoiceAdjustments } from "@quittance/operations/billing/InvoiceAdjustments"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { asRequest } from "./http/AsRequest.ts"

export const BillingHandlers = HttpApiBuilder.group(
  PublicApi,
  "billing",
  Effect.fn(function* (handlers) {
    const billing = yield* Billing
    const charges = yield* ManualCharges
    const parked = yield* ParkedPolicies
    const receivables = yield* InvoiceAdjustments

    return handlers.handleAll({
      schedule: ({ params, query }) => asRequest({}, billing.schedule({ ...params, ...query })),
      listInvoices: ({ params, query }) =>
        asRequest({}, billing.invoices(params.policyId, pageRequest(query))),
      getInvoice: ({ params }) => asRequest({}, billing.invoice(params.invoiceId)),
      ledger: ({ params, query }) =>
        asRequest({}, billing.ledger(params.policyId, pageRequest(query))),
      listParked: ({ query }) => asRequest({}, parked.list(pageRequest(query))),
      retryParked: (request) => asRequest(request, parked.retry(request.params.policyId)),
      charge: (request) =>
        asRequest(request, charges.make(request.params.policyId, request.payload)),
      writeOff: (request) =>
        asRequest(request, receivables.run("write-off", request.params.invoiceId, request.payload)),
      credit: (request) =>
        asRequest(request, receivables.run("credit", request.params.invoiceId, request.payload)),
      cancel: (request) =>
        asRequest(request, receivables.run("cancel", request.params.invoiceId, request.payload))
    })
  })
).pipe(
  Layer.provide([
    Billing.layer,
    ManualCharges.layer,
    ParkedPolicies.layer,
    InvoiceAdjustments.layer
  ])
)
