import { FormalNotice, Hold, HoldId, PlaceHold, RecordNotice } from "@quittance/domain/dunning/Dunning"
import { Page } from "@quittance/domain/values/Page"
import { PolicyId } from "@quittance/domain/policies/Policy"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, idempotent, needs, people } from "../access/Access.ts"
import { ApiError } from "../api/ApiError.ts"
import { pageQuery, triedQuery, writeHeaders } from "../requests/Parameters.ts"

export const FormalNoticePage = Page(FormalNotice).annotate({ identifier: "FormalNoticePage" })

export class Dunning extends HttpApiGroup.make("dunning")
  .add(
    HttpApiEndpoint.post("recordNotice", "/billing/policies/:policyId/formal-notices", {
      params: { policyId: PolicyId },
      query: triedQuery,
      headers: writeHeaders,
      payload: RecordNotice,
      success: FormalNotice.pipe(HttpApiSchema.status(201)),
      error: [
        ApiError.IdempotencyKeyInUse,
        ApiError.IdempotencyKeyReused,
        ApiError.InvalidEffectiveDate,
        ApiError.InvalidReference,
        ApiError.PolicyNotFound
      ]
    })
      .annotateMerge(idempotent)
      .annotateMerge(needs("billing.write", "RECORD"))
      .annotate(OpenApi.Summary, "Record the dispatch of a formal notice")
      .annotate(
        OpenApi.Description,
        "The clock of unpaid premiums runs from `sentAt`: neither in the future nor before the product's grace is over."
      ),
    HttpApiEndpoint.get("listNotices", "/billing/policies/:policyId/formal-notices", {
      params: { policyId: PolicyId },
      query: pageQuery,
      success: FormalNoticePage,
      error: ApiError.PolicyNotFound
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
        ApiError.IdempotencyKeyInUse,
        ApiError.IdempotencyKeyReused,
        ApiError.InvalidEffectiveDate,
        ApiError.PolicyNotFound
      ]
    })
      .annotateMerge(idempotent)
      .annotateMerge(needs("billing.write", "RECORD"))
      .annotate(OpenApi.Summary, "Hold the dunning of a policy"),
    HttpApiEndpoint.delete("liftHold", "/billing/policies/:policyId/holds/:holdId", {
      params: { policyId: PolicyId, holdId: HoldId },
      query: triedQuery,
      headers: writeHeaders,
      success: HttpApiSchema.NoContent,
      error: [
        ApiError.HoldNotFound,
        ApiError.IdempotencyKeyInUse,
        ApiError.IdempotencyKeyReused,
        ApiError.PolicyNotFound
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
    OpenApi.annotations({
      title: "Dunning",
      description: "Formal notices of unpaid premiums, and times without dunning."
    })
  ) {}
