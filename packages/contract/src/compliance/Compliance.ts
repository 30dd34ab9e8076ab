import { AcceptedText } from "@quittance/domain/compliance/AcceptedText"
import { AcceptText } from "@quittance/domain/compliance/ComplianceRequests"
import { PolicyCompliance } from "@quittance/domain/compliance/PolicyCompliance"
import { PolicyId } from "@quittance/domain/values/Ids"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, idempotent, needs, people, RequestExample } from "../access/Access.ts"
import { commandErrors, readErrors } from "../policies/CommandErrors.ts"
import { reference } from "../requests/AreaReference.ts"
import { bearer } from "../requests/Bearer.ts"
import { policyHeaders, triedQuery, viewQuery } from "../requests/Parameters.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import { complianceTerms } from "./ComplianceTerms.ts"

const onPolicy = { params: { policyId: PolicyId } }

export class Compliance extends bearer(
  HttpApiGroup.make("compliance")
    .add(
      HttpApiEndpoint.get("get", "/policies/:policyId/compliance", {
        ...onPolicy,
        query: { branchId: viewQuery.branchId },
        success: PolicyCompliance,
        error: readErrors
      })
        .annotateMerge(needs("compliance.read", "RECORD"))
        .annotate(OpenApi.Summary, "See what a branch still needs before each step ahead of it"),
      HttpApiEndpoint.post("accept", "/policies/:policyId/consents", {
        ...onPolicy,
        query: { branchId: viewQuery.branchId, ...triedQuery },
        headers: policyHeaders,
        payload: AcceptText,
        success: AcceptedText.pipe(HttpApiSchema.status(201)),
        error: [...commandErrors, requestErrors.InvalidReference]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("policy.write", "RECORD"))
        .annotate(RequestExample, { textId: "SUBSCRIPTION_TERMS", accepted: true })
        .annotate(OpenApi.Summary, "Accept a text of the product")
        .annotate(
          OpenApi.Description,
          "It holds for this branch and this wording. Where a newer version of the product has another wording, the customer accepts it again. A wording that was accepted before stays as it was."
        )
    )
    .annotateMerge(access({ scope: "platform/policies", callers: people }))
    .annotateMerge(reference({ errors: {}, terms: complianceTerms, parameters: {} }))
    .annotateMerge(
      OpenApi.annotations({
        title: "Compliance",
        description: "What has to hold before a policy is confirmed or signed, and its proof."
      })
    )
) {}
