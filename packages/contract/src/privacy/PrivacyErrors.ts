/** The errors of requests of persons on the wire. The last argument of each shows its details. */
import * as PrivacyRequest from "@quittance/domain/privacy/PrivacyRequest"
import { exampleId as id } from "../requests/Examples.ts"
import { wireError } from "../requests/WireError.ts"

export const privacyErrors = {
  PrivacyRequestNotFound: wireError(
    PrivacyRequest.PrivacyRequestNotFound,
    404,
    "PRIVACY_REQUEST_NOT_FOUND",
    "The tenant has no such privacy request.",
    { privacyRequestId: id("privacy_request") }
  ),
  IdentityNotProven: wireError(
    PrivacyRequest.IdentityNotProven,
    409,
    "IDENTITY_NOT_PROVEN",
    "It is not recorded yet how the person has proven who they are.",
    { privacyRequestId: id("privacy_request") }
  )
} as const
