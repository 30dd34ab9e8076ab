import { Iban } from "@quittance/domain/payments/Iban"
import { CustomerPaymentMethod } from "@quittance/domain/payments/PaymentMethod"
import { AddPaymentMethod } from "@quittance/domain/payments/PaymentMethodRequests"
import { CustomerId, PaymentMethodId } from "@quittance/domain/values/Ids"
import { Page } from "@quittance/domain/values/Page"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, idempotent, needs, people, RequestExample } from "../access/Access.ts"
import { customerErrors } from "../customers/CustomerErrors.ts"
import { reference } from "../requests/AreaReference.ts"
import { bearer } from "../requests/Bearer.ts"
import { NoMembers, pageQuery, triedQuery, writeHeaders } from "../requests/Parameters.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import { paymentMethodErrors } from "./PaymentMethodErrors.ts"
import { paymentMethodParameters, paymentMethodTerms } from "./PaymentMethodTerms.ts"

export const PaymentMethodPage = Page(CustomerPaymentMethod).annotate({
  identifier: "PaymentMethodPage"
})

/** The number of an account, in an answer of its own that nothing keeps. */
export const RevealedAccount = Schema.Struct({
  iban: Schema.RedactedFromValue(Schema.toType(Iban))
}).annotate({ identifier: "RevealedAccount" })

const ofCustomer = { params: { customerId: CustomerId } }
const onMethod = { params: { paymentMethodId: PaymentMethodId } }
const written = { query: triedQuery, headers: writeHeaders }
const repeated = [requestErrors.IdempotencyKeyInUse, requestErrors.IdempotencyKeyReused] as const

export class PaymentMethods extends bearer(
  HttpApiGroup.make("paymentMethods")
    .add(
      HttpApiEndpoint.post("add", "/payment-methods/customers/:customerId", {
        ...ofCustomer,
        ...written,
        payload: AddPaymentMethod,
        success: CustomerPaymentMethod.pipe(HttpApiSchema.status(201)),
        error: [customerErrors.CustomerNotFound, customerErrors.InvalidPaymentMethod, ...repeated]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("payment_method.write", "RECORD"))
        .annotate(RequestExample, {
          iban: "FR76 9999 9000 0100 0000 0010 106",
          holderName: "Camille Martin"
        })
        .annotate(OpenApi.Summary, "Add a payment method of a customer"),
      HttpApiEndpoint.get("list", "/payment-methods/customers/:customerId", {
        ...ofCustomer,
        query: pageQuery,
        success: PaymentMethodPage,
        error: customerErrors.CustomerNotFound
      })
        .annotateMerge(needs("payment_method.read", "RECORD"))
        .annotate(OpenApi.Summary, "List the payment methods of a customer, the newest first"),
      HttpApiEndpoint.get("get", "/payment-methods/:paymentMethodId", {
        ...onMethod,
        success: CustomerPaymentMethod,
        error: paymentMethodErrors.PaymentMethodNotFound
      })
        .annotateMerge(needs("payment_method.read", "RECORD"))
        .annotate(OpenApi.Summary, "Read a payment method"),
      HttpApiEndpoint.get("account", "/payment-methods/:paymentMethodId/account", {
        ...onMethod,
        success: RevealedAccount,
        error: paymentMethodErrors.PaymentMethodNotFound
      })
        .annotateMerge(needs("payment_method.reveal", "RECORD"))
        .annotate(OpenApi.Summary, "Show the number of a payment method")
        .annotate(
          OpenApi.Description,
          "The audit trail has the person or client that asked for it."
        ),
      HttpApiEndpoint.post("disable", "/payment-methods/:paymentMethodId/disable", {
        ...onMethod,
        ...written,
        payload: NoMembers,
        success: CustomerPaymentMethod,
        error: [paymentMethodErrors.PaymentMethodNotFound, ...repeated]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("payment_method.write", "RECORD"))
        .annotate(OpenApi.Summary, "Disable a payment method")
        .annotate(
          OpenApi.Description,
          "Nothing is collected from it or paid to it any more. Where the customer preferred it, they prefer none then."
        )
    )
    .annotateMerge(access({ scope: "platform/payments", callers: people }))
    .annotateMerge(
      reference({
        errors: paymentMethodErrors,
        terms: paymentMethodTerms,
        parameters: paymentMethodParameters
      })
    )
    .annotateMerge(
      OpenApi.annotations({
        title: "Payment methods",
        description: "Accounts from which customers pay, and to which they are paid."
      })
    )
) {}
