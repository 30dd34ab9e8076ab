import { DocumentId, Instalment, Invoice } from "@quittance/domain/Invoice"
import { Page } from "@quittance/domain/Page"
import { PolicyId } from "@quittance/domain/Policy"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access, everyone, needs, people } from "./Access.ts"
import { ApiError } from "./ApiError.ts"
import { pageQuery } from "./Parameters.ts"

/** The instalments to come, by payer. */
export const Schedule = Schema.Struct({ instalments: Schema.Array(Instalment) }).annotate({
  identifier: "Schedule"
})

export const InvoicePage = Page(Invoice).annotate({ identifier: "InvoicePage" })

export class Billing extends HttpApiGroup.make("billing")
  .add(
    HttpApiEndpoint.get("schedule", "/billing/policies/:policyId/schedule", {
      params: { policyId: PolicyId },
      success: Schedule,
      error: ApiError.PolicyNotFound
    })
      .annotateMerge(needs("billing.read", "RECORD"))
      .annotate(OpenApi.Summary, "Show the instalments to come"),
    HttpApiEndpoint.get("listInvoices", "/billing/policies/:policyId/invoices", {
      params: { policyId: PolicyId },
      query: pageQuery,
      success: InvoicePage,
      error: ApiError.PolicyNotFound
    })
      .annotateMerge(needs("billing.read", "RECORD"))
      .annotate(OpenApi.Summary, "List the invoices of a policy"),
    HttpApiEndpoint.get("getInvoice", "/billing/invoices/:invoiceId", {
      params: { invoiceId: DocumentId },
      success: Invoice,
      error: ApiError.InvoiceNotFound
    })
      .annotateMerge(access({ scope: "platform/billing", callers: everyone }))
      .annotateMerge(needs("billing.read", "RECORD"))
      .annotate(OpenApi.Summary, "Read an invoice or credit note")
  )
  .annotateMerge(access({ scope: "platform/billing", callers: people }))
  .annotateMerge(
    OpenApi.annotations({ title: "Billing", description: "What is and will be invoiced." })
  ) {}
