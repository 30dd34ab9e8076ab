import { Money } from "@quittance/domain/values/Amount"
import { CustomerId } from "@quittance/domain/customers/Customer"
import { InstantFromString } from "@quittance/domain/values/Instant"
import { InvoiceId } from "@quittance/domain/billing/Invoice"
import { Page } from "@quittance/domain/values/Page"
import { Payment, PaymentId, PaymentMethod } from "@quittance/domain/payments/Payment"
import { PolicyId } from "@quittance/domain/policies/Policy"
import { Refund } from "@quittance/domain/payments/Refund"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, everyone, idempotent, needs, people } from "../access/Access.ts"
import { ApiError } from "../api/ApiError.ts"
import { pageQuery, Text, writeHeaders, writeQuery } from "../requests/Parameters.ts"

/** Money that was received; more than is due pays older invoices, then becomes a credit balance. */
export const RecordPayment = Schema.Struct({
  amount: Money,
  method: PaymentMethod,
  reference: Text,
  paidAt: Schema.optionalKey(InstantFromString)
}).annotate({ identifier: "RecordPayment" })

/** The bank took the payment back; the reason is the bank's own code, the fee has its own invoice. */
export const ReturnPayment = Schema.Struct({
  reasonCode: Text,
  fee: Schema.optionalKey(Money),
  returnedAt: Schema.optionalKey(InstantFromString)
}).annotate({ identifier: "ReturnPayment" })

/** Pays a credit balance back; whose it is has to be said where several customers have one. */
export const RecordRefund = Schema.Struct({
  amount: Money,
  method: PaymentMethod,
  reference: Text,
  customerId: Schema.optionalKey(CustomerId)
}).annotate({ identifier: "RecordRefund" })

export const PaymentPage = Page(Payment).annotate({ identifier: "PaymentPage" })

export class Payments extends HttpApiGroup.make("payments")
  .add(
    HttpApiEndpoint.post("record", "/payments/invoices/:invoiceId", {
      params: { invoiceId: InvoiceId },
      query: writeQuery,
      headers: writeHeaders,
      payload: RecordPayment,
      success: Payment.pipe(HttpApiSchema.status(201)),
      error: [
        ApiError.IdempotencyKeyInUse,
        ApiError.IdempotencyKeyReused,
        ApiError.InvalidAmount,
        ApiError.InvalidEffectiveDate,
        ApiError.InvoiceNotFound
      ]
    })
      .annotateMerge(access({ scope: "platform/payments", callers: everyone }))
      .annotateMerge(idempotent)
      .annotateMerge(needs("payment.write", "RECORD"))
      .annotate(OpenApi.Summary, "Record a payment of an invoice"),
    HttpApiEndpoint.post("recordReturn", "/payments/:paymentId/return", {
      params: { paymentId: PaymentId },
      query: writeQuery,
      headers: writeHeaders,
      payload: ReturnPayment,
      success: Payment,
      error: [
        ApiError.IdempotencyKeyInUse,
        ApiError.IdempotencyKeyReused,
        ApiError.InvalidAmount,
        ApiError.InvalidEffectiveDate,
        ApiError.InvalidTransition,
        ApiError.PaymentNotFound
      ]
    })
      .annotateMerge(access({ scope: "platform/payments", callers: everyone }))
      .annotateMerge(idempotent)
      .annotateMerge(needs("payment.write", "RECORD"))
      .annotate(OpenApi.Summary, "Record that the bank took a payment back"),
    HttpApiEndpoint.post("recordRefund", "/payments/policies/:policyId/refunds", {
      params: { policyId: PolicyId },
      query: writeQuery,
      headers: writeHeaders,
      payload: RecordRefund,
      success: Refund.pipe(HttpApiSchema.status(201)),
      error: [
        ApiError.IdempotencyKeyInUse,
        ApiError.IdempotencyKeyReused,
        ApiError.InvalidAmount,
        ApiError.InvalidReference,
        ApiError.PolicyNotFound
      ]
    })
      .annotateMerge(idempotent)
      .annotateMerge(needs("payment.write", "RECORD"))
      .annotate(OpenApi.Summary, "Pay a credit balance back"),
    HttpApiEndpoint.get("listByPolicy", "/payments/policies/:policyId", {
      params: { policyId: PolicyId },
      query: pageQuery,
      success: PaymentPage,
      error: ApiError.PolicyNotFound
    })
      .annotateMerge(needs("payment.read", "RECORD"))
      .annotate(OpenApi.Summary, "List the payments of a policy")
  )
  .annotateMerge(access({ scope: "platform/payments", callers: people }))
  .annotateMerge(OpenApi.annotations({ title: "Payments", description: "Money received." })) {}
