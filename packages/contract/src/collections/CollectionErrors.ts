/** The errors of debits on the wire. */
import { PaymentFileNotFound } from "@quittance/domain/collections/PaymentFile"
import { DebitNotFound, DebitNotRetriable } from "@quittance/domain/collections/Debit"
import { exampleId as id } from "../requests/Examples.ts"
import { wireError } from "../requests/WireError.ts"

export const collectionErrors = {
  DebitNotFound: wireError(DebitNotFound, 404, "DEBIT_NOT_FOUND", "The tenant has no such debit.", {
    debitId: id("debit")
  }),
  DebitNotRetriable: wireError(
    DebitNotRetriable,
    409,
    "DEBIT_NOT_RETRIABLE",
    "The money of the failed debit is not to be collected by another one.",
    { debitId: id("debit"), reason: "BEING_COLLECTED" }
  ),
  PaymentFileNotFound: wireError(
    PaymentFileNotFound,
    404,
    "PAYMENT_FILE_NOT_FOUND",
    "The tenant has no such payment file.",
    { paymentFileId: id("payment_file") }
  )
} as const
