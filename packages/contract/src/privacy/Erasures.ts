import {
  ErasePerson,
  ErasurePage,
  ErasurePreview,
  ErasureReport
} from "@quittance/domain/privacy/Erasing"
import { PrivacyRequestId } from "@quittance/domain/privacy/PrivacyRequest"
import {
  PlaceRetentionHold,
  RetentionHold,
  RetentionHoldId,
  RetentionHoldPage
} from "@quittance/domain/privacy/RetentionHold"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, idempotent, needs, RequestExample } from "../access/Access.ts"
import { customerErrors } from "../customers/CustomerErrors.ts"
import { reference } from "../requests/AreaReference.ts"
import { bearer } from "../requests/Bearer.ts"
import { exampleId } from "../requests/Examples.ts"
import { pageQuery, triedQuery, writeHeaders } from "../requests/Parameters.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import { erasureTerms, holdParameters } from "./ErasureTerms.ts"
import { privacyErrors } from "./PrivacyErrors.ts"

const onRequest = { params: { privacyRequestId: PrivacyRequestId } }
const written = { query: triedQuery, headers: writeHeaders }
const repeated = [requestErrors.IdempotencyKeyInUse, requestErrors.IdempotencyKeyReused] as const

export class Erasures extends bearer(
  HttpApiGroup.make("erasures")
    .add(
      HttpApiEndpoint.get("preview", "/privacy/requests/:privacyRequestId/preview", {
        ...onRequest,
        success: ErasurePreview,
        error: [customerErrors.CustomerNotFound, privacyErrors.PrivacyRequestNotFound]
      })
        .annotateMerge(needs("privacy.read", "TENANT"))
        .annotate(OpenApi.Summary, "Read which data an erasure would take now, and which are kept")
        .annotate(
          OpenApi.Description,
          "The erasure is done and undone, so the numbers are those that it would have."
        ),
      HttpApiEndpoint.post("carryOut", "/privacy/requests/:privacyRequestId/erase", {
        ...onRequest,
        ...written,
        payload: ErasePerson,
        success: ErasureReport,
        error: [
          customerErrors.CustomerNotFound,
          privacyErrors.IdentityNotProven,
          privacyErrors.PrivacyRequestNotFound,
          privacyErrors.RetentionDuty,
          privacyErrors.RetentionHeld,
          requestErrors.InvalidTransition,
          ...repeated
        ]
      })
        .annotateMerge(idempotent)
        .annotateMerge(access({ scope: "platform/customers", callers: ["User"] }))
        .annotateMerge(needs("privacy.write", "TENANT"))
        .annotate(RequestExample, { ground: "GDPR art. 17(1)(a)" })
        .annotate(OpenApi.Summary, "Erase the data of the person, for good")
        .annotate(
          OpenApi.Description,
          "For people alone, for requests of kind `ERASURE` that have begun. Data whose clock runs are kept. Nothing brings erased data back."
        ),
      HttpApiEndpoint.get("list", "/privacy/erasures", { query: pageQuery, success: ErasurePage })
        .annotateMerge(needs("privacy.read", "TENANT"))
        .annotate(OpenApi.Summary, "List the erasures of the tenant, the newest first"),
      HttpApiEndpoint.post("placeHold", "/privacy/holds", {
        ...written,
        payload: PlaceRetentionHold,
        success: RetentionHold.pipe(HttpApiSchema.status(201)),
        error: [customerErrors.CustomerNotFound, requestErrors.InvalidReference, ...repeated]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("privacy.write", "TENANT"))
        .annotate(RequestExample, {
          customerId: exampleId("customer"),
          reason: "A dispute before the court"
        })
        .annotate(OpenApi.Summary, "Hold data of a customer or a policy against erasure"),
      HttpApiEndpoint.get("listHolds", "/privacy/holds", {
        query: pageQuery,
        success: RetentionHoldPage
      })
        .annotateMerge(needs("privacy.read", "TENANT"))
        .annotate(OpenApi.Summary, "List the holds of the tenant, the newest first"),
      HttpApiEndpoint.delete("liftHold", "/privacy/holds/:retentionHoldId", {
        params: { retentionHoldId: RetentionHoldId },
        ...written,
        success: HttpApiSchema.NoContent,
        error: [privacyErrors.RetentionHoldNotFound, ...repeated]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("privacy.write", "TENANT"))
        .annotate(OpenApi.Summary, "Lift a hold")
    )
    .annotateMerge(access({ scope: "platform/customers", callers: ["Client", "User"] }))
    .annotateMerge(
      reference({ errors: privacyErrors, terms: erasureTerms, parameters: holdParameters })
    )
    .annotateMerge(
      OpenApi.annotations({
        title: "Erasures",
        description: "What is erased of persons, what is kept, and holds against it."
      })
    )
) {}
