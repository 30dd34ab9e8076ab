import { Payout, PayoutId } from "@quittance/domain/payouts/Payout"
import { RecordFailed, RecordPaid, RequestPayout } from "@quittance/domain/payouts/PayoutRequests"
import { PolicyId } from "@quittance/domain/values/Ids"
import { Page } from "@quittance/domain/values/Page"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, idempotent, needs, RequestExample } from "../access/Access.ts"
import { customerErrors } from "../customers/CustomerErrors.ts"
import { policyErrors } from "../policies/PolicyErrors.ts"
import { reference } from "../requests/AreaReference.ts"
import { bearer } from "../requests/Bearer.ts"
import { exampleId } from "../requests/Examples.ts"
import { NoMembers, pageQuery, triedQuery, writeHeaders } from "../requests/Parameters.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import { payoutErrors } from "./PayoutErrors.ts"
import { payoutParameters, payoutTerms } from "./PayoutTerms.ts"

export const PayoutPage = Page(Payout).annotate({ identifier: "PayoutPage" })

const ofPolicy = { params: { policyId: PolicyId } }
const onPayout = { params: { payoutId: PayoutId } }
const written = { query: triedQuery, headers: writeHeaders }
const repeated = [requestErrors.IdempotencyKeyInUse, requestErrors.IdempotencyKeyReused] as const
const stepErrors = [
  payoutErrors.PayoutNotFound,
  requestErrors.InvalidTransition,
  ...repeated
] as const

export class Payouts extends bearer(
  HttpApiGroup.make("payouts")
    .add(
      HttpApiEndpoint.post("request", "/payouts/policies/:policyId", {
        ...ofPolicy,
        ...written,
        payload: RequestPayout,
        success: Payout.pipe(HttpApiSchema.status(201)),
        error: [
          customerErrors.InvalidPaymentMethod,
          payoutErrors.NotScreened,
          policyErrors.PolicyNotFound,
          requestErrors.InvalidAmount,
          requestErrors.InvalidReference,
          ...repeated
        ]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("payout.request", "RECORD"))
        .annotate(RequestExample, {
          kind: "REFUND",
          paymentMethodId: exampleId("payment_method"),
          amount: 1250,
          remittance: "Refund of your premium"
        })
        .annotate(OpenApi.Summary, "Pay a credit balance out")
        .annotate(
          OpenApi.Description,
          "The balance is used at once. Another person has to agree beyond the caller's authority, to a new account or that of another customer, and where its holder has another name or is on a list."
        ),
      HttpApiEndpoint.get("listByPolicy", "/payouts/policies/:policyId", {
        ...ofPolicy,
        query: pageQuery,
        success: PayoutPage,
        error: policyErrors.PolicyNotFound
      })
        .annotateMerge(needs("payout.read", "RECORD"))
        .annotate(OpenApi.Summary, "List the payouts of a policy, the newest first"),
      HttpApiEndpoint.get("get", "/payouts/:payoutId", {
        ...onPayout,
        success: Payout,
        error: payoutErrors.PayoutNotFound
      })
        .annotateMerge(needs("payout.read", "RECORD"))
        .annotate(OpenApi.Summary, "Read a payout"),
      HttpApiEndpoint.post("cancel", "/payouts/:payoutId/cancel", {
        ...onPayout,
        ...written,
        payload: NoMembers,
        success: Payout,
        error: stepErrors
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("payout.request", "RECORD"))
        .annotate(OpenApi.Summary, "Cancel a payout that has not left"),
      HttpApiEndpoint.post("confirmPayee", "/payouts/:payoutId/confirm-payee", {
        ...onPayout,
        ...written,
        payload: NoMembers,
        success: Payout,
        error: stepErrors
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("payout.request", "RECORD"))
        .annotate(OpenApi.Summary, "Confirm a payee whose name nearly matches"),
      HttpApiEndpoint.post("recordPaid", "/payouts/:payoutId/record-paid", {
        ...onPayout,
        ...written,
        payload: RecordPaid,
        success: Payout,
        error: [requestErrors.InvalidEffectiveDate, ...stepErrors]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("payout.settle", "RECORD"))
        .annotate(RequestExample, { paidAt: "2026-05-04T08:00:00.000Z" })
        .annotate(OpenApi.Summary, "Record a payout that has left"),
      HttpApiEndpoint.post("recordFailed", "/payouts/:payoutId/record-failed", {
        ...onPayout,
        ...written,
        payload: RecordFailed,
        success: Payout,
        error: [requestErrors.InvalidEffectiveDate, ...stepErrors]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("payout.settle", "RECORD"))
        .annotate(RequestExample, { reasonCode: "AC04" })
        .annotate(OpenApi.Summary, "Record a payout that the bank did not pay")
        .annotate(OpenApi.Description, "What was to be paid is on the credit balance again.")
    )
    .annotateMerge(access({ scope: "platform/payments", callers: ["User"] }))
    .annotateMerge(
      reference({ errors: payoutErrors, terms: payoutTerms, parameters: payoutParameters })
    )
    .annotateMerge(
      OpenApi.annotations({ title: "Payouts", description: "Money that leaves, and who agrees." })
    )
) {}
