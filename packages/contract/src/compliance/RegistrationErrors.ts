/** The errors of registrations on the wire. The last argument of each shows its details. */
import * as Registration from "@quittance/domain/compliance/Registration"
import { exampleId as id } from "../requests/Examples.ts"
import { wireError } from "../requests/WireError.ts"

export const registrationErrors = {
  RegistrationNotFound: wireError(
    Registration.RegistrationNotFound,
    404,
    "REGISTRATION_NOT_FOUND",
    "Nothing is recorded of the firm's registration.",
    { brokerageFirmId: id("brokerage_firm") }
  )
} as const
