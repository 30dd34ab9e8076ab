/** The errors of mandates on the wire. The last argument of each shows its details. */
import * as Mandate from "@quittance/domain/payments/MandateRecord"
import { exampleId as id } from "../requests/Examples.ts"
import { wireError } from "../requests/WireError.ts"

export const mandateErrors = {
  MandateNotFound: wireError(
    Mandate.MandateNotFound,
    404,
    "MANDATE_NOT_FOUND",
    "The tenant has no such mandate.",
    { mandateId: id("mandate") }
  ),
  DuplicateMandateReference: wireError(
    Mandate.DuplicateMandateReference,
    409,
    "DUPLICATE_MANDATE_REFERENCE",
    "The creditor has another mandate with this reference.",
    { umr: "QM000000000197" }
  )
} as const
