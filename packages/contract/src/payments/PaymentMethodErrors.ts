/** The errors of payment methods on the wire. The last argument of each shows its details. */
import * as PaymentMethod from "@quittance/domain/payments/PaymentMethod"
import { exampleId as id } from "../requests/Examples.ts"
import { wireError } from "../requests/WireError.ts"

export const paymentMethodErrors = {
  PaymentMethodNotFound: wireError(
    PaymentMethod.PaymentMethodNotFound,
    404,
    "PAYMENT_METHOD_NOT_FOUND",
    "The tenant has no such payment method.",
    { paymentMethodId: id("payment_method") }
  )
} as const
