import { PlaceHold, RecordNotice } from "@quittance/domain/dunning/DunningRequests"
import { FormalNotice, Hold } from "@quittance/domain/dunning/Dunning"
import { Page } from "@quittance/domain/values/Page"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, idempotent, needs, people, RequestExample } from "../access/Access.ts"
import { dunningErrors } from "./DunningErrors.ts"
import { policyErrors } from "../policies/PolicyErrors.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import { pageQuery, triedQuery, writeHeaders } from "../requests/Parameters.ts"
import { bearer } from "../requests/Bearer.ts"
import { HoldId, PolicyId } from "@quittance/domain/values/Ids"
import { exampleId } from "../requests/Examples.ts"
import { reference } from "../requests/AreaReference.ts"
import { dunningParameters, dunningTerms } from "./DunningTerms.ts"

export const FormalNoticePage = Page(FormalNotice).annotate({ identifier: "FormalNoticePage" })

export class Dunning extends bearer(
  HttpApiGroup.make("dunning")
    .add(
      HttpApiEndpoint.post("recordNotice", "/billing/policies/:policyId/formal-notices", {
        params: { policyId: PolicyId },
        query: triedQuery,
        headers: writeHeaders,
        payload: RecordNotice,
        success: FormalNotice.pipe(HttpApiSchema.status(201)),
        error: [
          requestErrors.IdempotencyKeyInUse,
          requestErrors.IdempotencyKeyReused,
          requestErrors.InvalidEffectiveDate,
          requestErrors.InvalidReference,
          policyErrors.PolicyNotFound
        ]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("billing.write", "RECORD"))
        .annotate(RequestExample, {
          invoiceIds: [exampleId("invoice")],
          payerCustomerId: exampleId("customer"),
          sentAt: "2026-05-12T15:00:00Z",
          channel: "REGISTERED_LETTER",
          evidence: { carrier: "La Poste", reference: "RK 12 345 678 9 FR" }
        })
        .annotate(OpenApi.Summary, "Record the dispatch of a formal notice")
        .annotate(
          OpenApi.Description,
          "The clock of unpaid premiums runs from `sentAt`: neither in the future nor before the product's grace is over."
        ),
      HttpApiEndpoint.get("listNotices", "/billing/policies/:policyId/formal-notices", {
        params: { policyId: PolicyId },
        query: pageQuery,
        success: FormalNoticePage,
        error: policyErrors.PolicyNotFound
      })
        .annotateMerge(needs("billing.read", "RECORD"))
        .annotate(OpenApi.Summary, "List the formal notices of a policy, those to be sent too"),
      HttpApiEndpoint.post("placeHold", "/billing/policies/:policyId/holds", {
        params: { policyId: PolicyId },
        query: triedQuery,
        headers: writeHeaders,
        payload: PlaceHold,
        success: Hold.pipe(HttpApiSchema.status(201)),
        error: [
          requestErrors.IdempotencyKeyInUse,
          requestErrors.IdempotencyKeyReused,
          requestErrors.InvalidEffectiveDate,
          policyErrors.PolicyNotFound
        ]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("billing.write", "RECORD"))
        .annotate(RequestExample, { to: "2026-07-01T00:00:00Z", reason: "The invoice is disputed" })
        .annotate(OpenApi.Summary, "Hold the dunning of a policy"),
      HttpApiEndpoint.delete("liftHold", "/billing/policies/:policyId/holds/:holdId", {
        params: { policyId: PolicyId, holdId: HoldId },
        query: triedQuery,
        headers: writeHeaders,
        success: HttpApiSchema.NoContent,
        error: [
          dunningErrors.HoldNotFound,
          requestErrors.IdempotencyKeyInUse,
          requestErrors.IdempotencyKeyReused,
          policyErrors.PolicyNotFound
        ]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("billing.write", "RECORD"))
        .annotate(OpenApi.Summary, "Lift a hold")
        .annotate(
          OpenApi.Description,
          "A hold that has begun ends now: what it kept from happening does not happen in the past."
        )
    )
    .annotateMerge(access({ scope: "platform/billing", callers: people }))
    .annotateMerge(
      reference({ errors: dunningErrors, terms: dunningTerms, parameters: dunningParameters })
    )
    .annotateMerge(
      OpenApi.annotations({
        title: "Dunning",
        description: "Formal notices of unpaid premiums, and times without dunning."
      })
    )
) {}
