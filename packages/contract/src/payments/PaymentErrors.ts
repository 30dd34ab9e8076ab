/** The errors of the area payments on the wire. The last argument of each shows its details. */
import * as Payment from "@quittance/domain/payments/Payment"
import { exampleId as id } from "../requests/Examples.ts"
import { wireError } from "../requests/WireError.ts"

export const paymentErrors = {
  PaymentNotFound: wireError(
    Payment.PaymentNotFound,
    404,
    "PAYMENT_NOT_FOUND",
    "The tenant has no such payment.",
    { paymentId: id("payment") }
  )
} as const
