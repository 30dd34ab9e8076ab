import { InvoiceReason, MakeCharge } from "@quittance/domain/billing/BillingRequests"
import { Charge } from "@quittance/domain/billing/Charge"
import { Instalment, Invoice } from "@quittance/domain/billing/Invoice"
import { Ledger } from "@quittance/domain/billing/Ledger"
import { Page } from "@quittance/domain/values/Page"
import { ParkedPolicy, RetriedPolicy } from "@quittance/domain/policies/ParkedPolicy"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, everyone, idempotent, needs, people, RequestExample } from "../access/Access.ts"
import { billingErrors } from "./BillingErrors.ts"
import { policyErrors } from "../policies/PolicyErrors.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import {
  NoMembers,
  pageQuery,
  readQuery,
  writeHeaders,
  writeQuery
} from "../requests/Parameters.ts"
import { viewErrors } from "../policies/CommandErrors.ts"
import { bearer } from "../requests/Bearer.ts"
import { AnyInvoiceId, InvoiceId, PolicyId } from "@quittance/domain/values/Ids"
import { reference } from "../requests/AreaReference.ts"
import { billingParameters, billingTerms } from "./BillingTerms.ts"

/** The instalments to come, by payer. */
export const Schedule = Schema.Struct({ instalments: Schema.Array(Instalment) }).annotate({
  identifier: "Schedule"
})

export const ParkedPolicyPage = Page(ParkedPolicy).annotate({ identifier: "ParkedPolicyPage" })

export const InvoicePage = Page(Invoice).annotate({ identifier: "InvoicePage" })

const byHand = {
  params: { invoiceId: InvoiceId },
  query: writeQuery,
  headers: writeHeaders,
  payload: InvoiceReason,
  success: Invoice,
  error: [
    requestErrors.IdempotencyKeyInUse,
    requestErrors.IdempotencyKeyReused,
    requestErrors.InvalidTransition,
    billingErrors.InvoiceNotFound
  ]
} as const

export class Billing extends bearer(
  HttpApiGroup.make("billing")
    .add(
      HttpApiEndpoint.get("schedule", "/billing/policies/:policyId/schedule", {
        params: { policyId: PolicyId },
        query: readQuery,
        success: Schedule,
        error: viewErrors
      })
        .annotateMerge(needs("billing.read", "RECORD"))
        .annotate(OpenApi.Summary, "Show the instalments to come")
        .annotate(
          OpenApi.Description,
          "With `branchId`: as if the branch were in force. With `whenAt`: the future ones at that instant, by what has taken effect then. With `knownAt`: as it was known at that instant."
        ),
      HttpApiEndpoint.get("listInvoices", "/billing/policies/:policyId/invoices", {
        params: { policyId: PolicyId },
        query: pageQuery,
        success: InvoicePage,
        error: policyErrors.PolicyNotFound
      })
        .annotateMerge(needs("billing.read", "RECORD"))
        .annotate(OpenApi.Summary, "List the invoices of a policy"),
      HttpApiEndpoint.get("getInvoice", "/billing/invoices/:invoiceId", {
        params: { invoiceId: AnyInvoiceId },
        success: Invoice,
        error: billingErrors.InvoiceNotFound
      })
        .annotateMerge(access({ scope: "platform/billing", callers: everyone }))
        .annotateMerge(needs("billing.read", "RECORD"))
        .annotate(OpenApi.Summary, "Read an invoice or credit note"),
      HttpApiEndpoint.get("ledger", "/billing/policies/:policyId/ledger", {
        params: { policyId: PolicyId },
        query: pageQuery,
        success: Ledger,
        error: [requestErrors.InvalidAmount, policyErrors.PolicyNotFound]
      })
        .annotateMerge(needs("billing.read", "RECORD"))
        .annotate(OpenApi.Summary, "Show the postings and balances of a policy"),
      HttpApiEndpoint.get("listParked", "/billing/parked", {
        query: pageQuery,
        success: ParkedPolicyPage
      })
        .annotateMerge(access({ scope: "platform/billing", callers: everyone }))
        .annotateMerge(needs("billing.read", "ANYWHERE"))
        .annotate(OpenApi.Summary, "List the parked policies and offers, with the reason of each"),
      HttpApiEndpoint.post("retryParked", "/billing/parked/:policyId/retry", {
        params: { policyId: PolicyId },
        query: writeQuery,
        headers: writeHeaders,
        payload: NoMembers,
        success: RetriedPolicy,
        error: [
          requestErrors.IdempotencyKeyInUse,
          requestErrors.IdempotencyKeyReused,
          policyErrors.PolicyNotFound,
          policyErrors.PolicyNotParked
        ]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("billing.write", "RECORD"))
        .annotate(OpenApi.Summary, "Retry a parked policy"),
      HttpApiEndpoint.post("charge", "/billing/policies/:policyId/charges", {
        params: { policyId: PolicyId },
        query: writeQuery,
        headers: writeHeaders,
        payload: MakeCharge,
        success: Charge.pipe(HttpApiSchema.status(201)),
        error: [
          requestErrors.IdempotencyKeyInUse,
          requestErrors.IdempotencyKeyReused,
          requestErrors.InvalidAmount,
          requestErrors.InvalidTransition,
          policyErrors.PolicyNotFound
        ]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("billing.write", "RECORD"))
        .annotate(RequestExample, {
          componentId: "DUPLICATE",
          label: "Second certificate",
          amount: 1500
        })
        .annotate(OpenApi.Summary, "Charge an amount manually"),
      HttpApiEndpoint.post("writeOff", "/billing/invoices/:invoiceId/write-off", byHand)
        .annotateMerge(access({ scope: "platform/billing", callers: everyone }))
        .annotateMerge(idempotent)
        .annotateMerge(needs("billing.write", "RECORD"))
        .annotate(RequestExample, { reason: "The customer is insolvent" })
        .annotate(OpenApi.Summary, "Write off an invoice"),
      HttpApiEndpoint.post(
        "reverseWriteOff",
        "/billing/invoices/:invoiceId/reverse-write-off",
        byHand
      )
        .annotateMerge(access({ scope: "platform/billing", callers: everyone }))
        .annotateMerge(idempotent)
        .annotateMerge(needs("billing.write", "RECORD"))
        .annotate(RequestExample, { reason: "Written off by mistake" })
        .annotate(OpenApi.Summary, "Reverse a write-off"),
      HttpApiEndpoint.post("credit", "/billing/invoices/:invoiceId/credit", byHand)
        .annotateMerge(access({ scope: "platform/billing", callers: everyone }))
        .annotateMerge(idempotent)
        .annotateMerge(needs("billing.write", "RECORD"))
        .annotate(RequestExample, { reason: "Goodwill after a complaint" })
        .annotate(OpenApi.Summary, "Credit an invoice"),
      HttpApiEndpoint.post("cancel", "/billing/invoices/:invoiceId/cancel", byHand)
        .annotateMerge(access({ scope: "platform/billing", callers: everyone }))
        .annotateMerge(idempotent)
        .annotateMerge(needs("billing.write", "RECORD"))
        .annotate(RequestExample, { reason: "Drafted by mistake" })
        .annotate(OpenApi.Summary, "Cancel an invoice that is still a draft")
        .annotate(
          OpenApi.Description,
          "Every invoice is issued at once, so none is a draft today, and this answers `INVALID_TRANSITION`. Credit an invoice that was issued."
        )
    )
    .annotateMerge(access({ scope: "platform/billing", callers: people }))
    .annotateMerge(
      reference({ errors: billingErrors, terms: billingTerms, parameters: billingParameters })
    )
    .annotateMerge(
      OpenApi.annotations({
        title: "Billing",
        description: "Invoices that are issued and planned."
      })
    )
) {}
