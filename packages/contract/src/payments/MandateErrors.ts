/** The errors of mandates on the wire. The last argument of each shows its details. */
import { MandateNotUsable } from "@quittance/domain/payments/MandateNotUsable"
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
  MandateNotUsable: wireError(
    MandateNotUsable,
    409,
    "MANDATE_NOT_USABLE",
    "Nothing is collected by the mandate: the message says what to do.",
    { mandateId: id("mandate"), status: "BLOCKED", endsOn: "2029-05-04", reasonCode: "AC04" }
  ),
  DuplicateMandateReference: wireError(
    Mandate.DuplicateMandateReference,
    409,
    "DUPLICATE_MANDATE_REFERENCE",
    "The creditor has another mandate with this reference.",
    { umr: "QM000000000197" }
  )
} as const
