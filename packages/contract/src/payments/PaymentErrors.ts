/** The errors of the area payments on the wire. The last argument of each shows its details. */
import * as Instructions from "@quittance/domain/payments/PaymentInstructions"
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
  ),
  NoCollectingAccount: wireError(
    Instructions.NoCollectingAccount,
    404,
    "NO_COLLECTING_ACCOUNT",
    "The tenant has no open bank account that collects for the product.",
    { productId: "motor-fr" }
  )
} as const
