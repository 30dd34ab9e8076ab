import {
  RecordPayment,
  RecordRefund,
  ReturnPayment
} from "@quittance/domain/payments/PaymentRequests"
import { Page } from "@quittance/domain/values/Page"
import { Payment } from "@quittance/domain/payments/Payment"
import { PaymentInstructions } from "@quittance/domain/payments/PaymentInstructions"
import { Refund } from "@quittance/domain/payments/Refund"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, everyone, idempotent, needs, people, RequestExample } from "../access/Access.ts"
import { billingErrors } from "../billing/BillingErrors.ts"
import { paymentErrors } from "./PaymentErrors.ts"
import { policyErrors } from "../policies/PolicyErrors.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import { pageQuery, writeHeaders, writeQuery } from "../requests/Parameters.ts"
import { bearer } from "../requests/Bearer.ts"
import { InvoiceId, PaymentId, PolicyId } from "@quittance/domain/values/Ids"
import { reference } from "../requests/AreaReference.ts"
import { paymentParameters, paymentTerms } from "./PaymentTerms.ts"

export const PaymentPage = Page(Payment).annotate({ identifier: "PaymentPage" })

export class Payments extends bearer(
  HttpApiGroup.make("payments")
    .add(
      HttpApiEndpoint.post("record", "/payments/invoices/:invoiceId", {
        params: { invoiceId: InvoiceId },
        query: writeQuery,
        headers: writeHeaders,
        payload: RecordPayment,
        success: Payment.pipe(HttpApiSchema.status(201)),
        error: [
          requestErrors.IdempotencyKeyInUse,
          requestErrors.IdempotencyKeyReused,
          requestErrors.InvalidAmount,
          requestErrors.InvalidEffectiveDate,
          billingErrors.InvoiceNotFound
        ]
      })
        .annotateMerge(access({ scope: "platform/payments", callers: everyone }))
        .annotateMerge(idempotent)
        .annotateMerge(needs("payment.write", "RECORD"))
        .annotate(RequestExample, {
          amount: 4217,
          method: "BANK_TRANSFER",
          reference: "Transfer of 3 March"
        })
        .annotate(OpenApi.Summary, "Record a payment of an invoice"),
      HttpApiEndpoint.post("recordReturn", "/payments/:paymentId/return", {
        params: { paymentId: PaymentId },
        query: writeQuery,
        headers: writeHeaders,
        payload: ReturnPayment,
        success: Payment,
        error: [
          requestErrors.IdempotencyKeyInUse,
          requestErrors.IdempotencyKeyReused,
          requestErrors.InvalidAmount,
          requestErrors.InvalidEffectiveDate,
          requestErrors.InvalidTransition,
          paymentErrors.PaymentNotFound
        ]
      })
        .annotateMerge(access({ scope: "platform/payments", callers: everyone }))
        .annotateMerge(idempotent)
        .annotateMerge(needs("payment.write", "RECORD"))
        .annotate(RequestExample, { reasonCode: "AM04", fee: 1000 })
        .annotate(OpenApi.Summary, "Record a returned payment"),
      HttpApiEndpoint.post("recordRefund", "/payments/policies/:policyId/refunds", {
        params: { policyId: PolicyId },
        query: writeQuery,
        headers: writeHeaders,
        payload: RecordRefund,
        success: Refund.pipe(HttpApiSchema.status(201)),
        error: [
          requestErrors.IdempotencyKeyInUse,
          requestErrors.IdempotencyKeyReused,
          requestErrors.InvalidAmount,
          requestErrors.InvalidReference,
          policyErrors.PolicyNotFound
        ]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("payment.write", "RECORD"))
        .annotate(RequestExample, {
          amount: 1250,
          method: "BANK_TRANSFER",
          reference: "Refund of 7 May"
        })
        .annotate(OpenApi.Summary, "Pay a credit balance back"),
      HttpApiEndpoint.get("listByPolicy", "/payments/policies/:policyId", {
        params: { policyId: PolicyId },
        query: pageQuery,
        success: PaymentPage,
        error: policyErrors.PolicyNotFound
      })
        .annotateMerge(needs("payment.read", "RECORD"))
        .annotate(OpenApi.Summary, "List the payments of a policy"),
      HttpApiEndpoint.get("instructions", "/payments/invoices/:invoiceId/instructions", {
        params: { invoiceId: InvoiceId },
        success: PaymentInstructions,
        error: [billingErrors.InvoiceNotFound, paymentErrors.NoCollectingAccount]
      })
        .annotateMerge(access({ scope: "platform/billing", callers: everyone }))
        .annotateMerge(needs("billing.read", "RECORD"))
        .annotate(OpenApi.Summary, "Tell a payer how to transfer what an invoice asks for")
    )
    .annotateMerge(access({ scope: "platform/payments", callers: people }))
    .annotateMerge(
      reference({ errors: paymentErrors, terms: paymentTerms, parameters: paymentParameters })
    )
    .annotateMerge(OpenApi.annotations({ title: "Payments", description: "Money received." }))
) {}
