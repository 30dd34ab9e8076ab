import { Mandate, MandateLocale } from "@quittance/domain/payments/MandateRecord"
import {
  AmendMandate,
  ConfirmMandate,
  CreateMandate,
  ImportMandate,
  SignMandate,
  UnblockMandate
} from "@quittance/domain/payments/MandateRequests"
import { CustomerId, MandateId, PaymentMethodId } from "@quittance/domain/values/Ids"
import { Page } from "@quittance/domain/values/Page"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, idempotent, needs, people, RequestExample } from "../access/Access.ts"
import { customerErrors } from "../customers/CustomerErrors.ts"
import { reference } from "../requests/AreaReference.ts"
import { bearer } from "../requests/Bearer.ts"
import { exampleId } from "../requests/Examples.ts"
import { NoMembers, pageQuery, triedQuery, writeHeaders } from "../requests/Parameters.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import { mandateErrors } from "./MandateErrors.ts"
import { mandateParameters, mandateTerms } from "./MandateTerms.ts"
import { paymentMethodErrors } from "./PaymentMethodErrors.ts"

export const MandatePage = Page(Mandate).annotate({ identifier: "MandatePage" })

/** What a debtor signs. */
export const MandateWording = Schema.Struct({
  locale: MandateLocale,
  text: Schema.String,
  hash: Schema.String
}).annotate({ identifier: "MandateWording" })

const onMethod = { params: { paymentMethodId: PaymentMethodId } }
const onMandate = { params: { mandateId: MandateId } }
const written = { query: triedQuery, headers: writeHeaders, success: Mandate }
const repeated = [requestErrors.IdempotencyKeyInUse, requestErrors.IdempotencyKeyReused] as const
const madeErrors = [
  customerErrors.InvalidPaymentMethod,
  paymentMethodErrors.PaymentMethodNotFound,
  requestErrors.InvalidReference,
  ...repeated
] as const
const changeErrors = [
  mandateErrors.MandateNotFound,
  requestErrors.InvalidTransition,
  ...repeated
] as const

export class Mandates extends bearer(
  HttpApiGroup.make("mandates")
    .add(
      HttpApiEndpoint.post("create", "/mandates/payment-methods/:paymentMethodId", {
        ...onMethod,
        ...written,
        payload: CreateMandate,
        success: Mandate.pipe(HttpApiSchema.status(201)),
        error: madeErrors
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("payment_method.write", "RECORD"))
        .annotate(RequestExample, { productId: "motor-fr", locale: "fr" })
        .annotate(OpenApi.Summary, "Make a mandate that is to be signed"),
      HttpApiEndpoint.post("importSigned", "/mandates/payment-methods/:paymentMethodId/import", {
        ...onMethod,
        ...written,
        payload: ImportMandate,
        success: Mandate.pipe(HttpApiSchema.status(201)),
        error: [...madeErrors, mandateErrors.DuplicateMandateReference]
      })
        .annotateMerge(idempotent)
        .annotateMerge(access({ scope: "platform/payments", callers: ["Client", "User"] }))
        .annotateMerge(needs("mandate.import", "TENANT"))
        .annotate(RequestExample, {
          productId: "motor-fr",
          umr: "OLD-2024-001187",
          signedOn: "2024-11-04",
          lastPresentedOn: "2026-04-07",
          evidence: "Archive of Acme, box 12"
        })
        .annotate(OpenApi.Summary, "Bring in a mandate that was signed elsewhere"),
      HttpApiEndpoint.get("list", "/mandates/customers/:customerId", {
        params: { customerId: CustomerId },
        query: pageQuery,
        success: MandatePage,
        error: customerErrors.CustomerNotFound
      })
        .annotateMerge(needs("payment_method.read", "RECORD"))
        .annotate(OpenApi.Summary, "List the mandates of a customer, the newest first"),
      HttpApiEndpoint.get("get", "/mandates/:mandateId", {
        ...onMandate,
        success: Mandate,
        error: mandateErrors.MandateNotFound
      })
        .annotateMerge(needs("payment_method.read", "RECORD"))
        .annotate(OpenApi.Summary, "Read a mandate"),
      HttpApiEndpoint.get("text", "/mandates/:mandateId/text", {
        ...onMandate,
        success: MandateWording,
        error: mandateErrors.MandateNotFound
      })
        .annotateMerge(needs("payment_method.read", "RECORD"))
        .annotate(OpenApi.Summary, "Show the text of a mandate, which its debtor signs"),
      HttpApiEndpoint.post("sign", "/mandates/:mandateId/sign", {
        ...onMandate,
        ...written,
        payload: SignMandate,
        error: [...changeErrors, requestErrors.Conflict, requestErrors.InvalidReference]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("payment_method.write", "RECORD"))
        .annotate(RequestExample, {
          consent: {
            textHash: "5b8a2d0f4b5f0f7e6c3a1d9e8b7c6f5a4e3d2c1b0a9f8e7d6c5b4a3f2e1d0c9b",
            accepted: true
          },
          place: "Lyon"
        })
        .annotate(OpenApi.Summary, "Sign a mandate")
        .annotate(
          OpenApi.Description,
          "If the text has changed since it was shown, the answer is 409: show it again."
        ),
      HttpApiEndpoint.post("confirmBank", "/mandates/:mandateId/confirm-bank", {
        ...onMandate,
        ...written,
        payload: ConfirmMandate,
        error: changeErrors
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("payment_method.write", "RECORD"))
        .annotate(RequestExample, { evidence: "Letter of the bank of 4 May 2026" })
        .annotate(OpenApi.Summary, "Say that the debtor's bank knows a B2B mandate"),
      HttpApiEndpoint.post("amend", "/mandates/:mandateId/amend", {
        ...onMandate,
        ...written,
        payload: AmendMandate,
        error: [...changeErrors, customerErrors.InvalidPaymentMethod]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("payment_method.write", "RECORD"))
        .annotate(RequestExample, { paymentMethodId: exampleId("payment_method") })
        .annotate(OpenApi.Summary, "Collect by a mandate from another account of its debtor"),
      HttpApiEndpoint.post("unblock", "/mandates/:mandateId/unblock", {
        ...onMandate,
        ...written,
        payload: UnblockMandate,
        error: [...changeErrors, mandateErrors.MandateNotUsable]
      })
        .annotateMerge(idempotent)
        .annotateMerge(access({ scope: "platform/payments", callers: ["Client", "User"] }))
        .annotateMerge(needs("collection.write", "RECORD"))
        .annotate(RequestExample, {
          reason: "The account takes debits again",
          evidence: "Letter of the customer of 4 May 2026"
        })
        .annotate(OpenApi.Summary, "Collect again by a mandate that a bank's reason has blocked")
        .annotate(
          OpenApi.Description,
          "Debits that failed may then be retried. After `MD01`, `MD07` and `AC04` the answer is 409: have a new mandate signed."
        ),
      HttpApiEndpoint.post("cancel", "/mandates/:mandateId/cancel", {
        ...onMandate,
        ...written,
        payload: NoMembers,
        error: changeErrors
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("payment_method.write", "RECORD"))
        .annotate(OpenApi.Summary, "Withdraw a mandate")
    )
    .annotateMerge(access({ scope: "platform/payments", callers: people }))
    .annotateMerge(
      reference({ errors: mandateErrors, terms: mandateTerms, parameters: mandateParameters })
    )
    .annotateMerge(
      OpenApi.annotations({
        title: "Mandates",
        description: "Mandates: debtors sign them to let money be collected from their accounts."
      })
    )
) {}
