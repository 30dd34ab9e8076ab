import { pageRequest } from "@quittance/contract/requests/Parameters"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { Billing } from "@quittance/operations/billing/Billing"
import { ManualCharges } from "@quittance/operations/billing/ManualCharges"
import { ParkedPolicies } from "@quittance/operations/worker/ParkedPolicies"
import { InvoiceAdjustments } from "@quittance/operations/billing/InvoiceAdjustments"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

export const BillingHandlers = HttpApiBuilder.group(
  PublicApi,
  "billing",
  Effect.fn(function* (handlers) {
    const billing = yield* Billing
    const charges = yield* ManualCharges
    const parked = yield* ParkedPolicies
    const receivables = yield* InvoiceAdjustments

    return handlers.handleAll({
      schedule: ({ params, query }) => billing.schedule({ ...params, ...query }),
      listInvoices: ({ params, query }) => billing.invoices(params.policyId, pageRequest(query)),
      getInvoice: ({ params }) => billing.invoice(params.invoiceId),
      ledger: ({ params, query }) => billing.ledger(params.policyId, pageRequest(query)),
      listParked: ({ query }) => parked.list(pageRequest(query)),
      retryParked: ({ params }) => parked.retry(params.policyId),
      charge: ({ params, payload }) => charges.make(params.policyId, payload),
      writeOff: ({ params, payload }) => receivables.run("write-off", params.invoiceId, payload),
      reverseWriteOff: ({ params, payload }) =>
        receivables.run("reverse-write-off", params.invoiceId, payload),
      credit: ({ params, payload }) => receivables.run("credit", params.invoiceId, payload),
      cancel: ({ params, payload }) => receivables.run("cancel", params.invoiceId, payload)
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
