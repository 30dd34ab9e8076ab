/** The errors of requests of persons on the wire. The last argument of each shows its details. */
import * as Erasing from "@quittance/domain/privacy/Erasing"
import * as PrivacyRequest from "@quittance/domain/privacy/PrivacyRequest"
import * as RetentionHold from "@quittance/domain/privacy/RetentionHold"
import * as RetentionSettings from "@quittance/domain/privacy/RetentionSettings"
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
  RetentionDuty: wireError(
    Erasing.RetentionDuty,
    409,
    "RETENTION_DUTY",
    "The law asks to keep data of a class that was to be erased.",
    {
      classes: [
        {
          customerId: id("customer"),
          policyId: id("policy"),
          class: "CONTRACT",
          until: "2031-06-01T22:00:00.000Z",
          source: "Code civil art. 2224"
        }
      ]
    }
  ),
  RetentionHeld: wireError(
    RetentionHold.RetentionHeld,
    409,
    "RETENTION_HOLD",
    "A hold keeps the data from being erased.",
    { holds: [id("retention_hold")] }
  ),
  RetentionHoldNotFound: wireError(
    RetentionHold.RetentionHoldNotFound,
    404,
    "RETENTION_HOLD_NOT_FOUND",
    "The tenant has no such hold, or it was lifted already.",
    { retentionHoldId: id("retention_hold") }
  ),
  InvalidRetention: wireError(
    RetentionSettings.InvalidRetention,
    422,
    "INVALID_RETENTION",
    "A class would be kept for less than its floor, or has two rules.",
    {
      floors: [{ class: "ACCOUNTING", atLeast: { amount: 10, unit: "YEAR" } }],
      repeated: []
    }
  ),
  IdentityNotProven: wireError(
    PrivacyRequest.IdentityNotProven,
    409,
    "IDENTITY_NOT_PROVEN",
    "It is not recorded yet how the person has proven who they are.",
    { privacyRequestId: id("privacy_request") }
  )
} as const
