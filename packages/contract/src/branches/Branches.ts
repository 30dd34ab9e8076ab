import {
  ForkBranch,
  InvalidateBranch,
  OpenBranch,
  RebaseBranch
} from "@quittance/domain/branches/BranchRequests"
import { Branch } from "@quittance/domain/policies/Branch"
import { BranchDiff } from "@quittance/domain/branches/BranchDiff"
import { Page } from "@quittance/domain/values/Page"
import { Policy } from "@quittance/domain/policies/Policy"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, idempotent, needs, opens, people, RequestExample } from "../access/Access.ts"
import { policyErrors } from "../policies/PolicyErrors.ts"
import { productErrors } from "../products/ProductErrors.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import {
  commandQuery,
  NoMembers,
  pageQuery,
  policyHeaders,
  recordQuery,
  triedQuery
} from "../requests/Parameters.ts"
import { commandErrors, saleErrors, viewErrors } from "../policies/CommandErrors.ts"
import { bearer } from "../requests/Bearer.ts"
import { BranchId, PolicyId } from "@quittance/domain/values/Ids"
import { reference } from "../requests/AreaReference.ts"
import { branchParameters, branchTerms } from "./BranchTerms.ts"

export const BranchPage = Page(Branch).annotate({ identifier: "BranchPage" })

const onBranch = { params: { branchId: BranchId }, query: triedQuery, headers: policyHeaders }

export class Branches extends bearer(
  HttpApiGroup.make("branches")
    .add(
      HttpApiEndpoint.get("listByPolicy", "/policies/:policyId/branches", {
        params: { policyId: PolicyId },
        query: { ...pageQuery, ...recordQuery },
        success: BranchPage,
        error: [requestErrors.InvalidEffectiveDate, policyErrors.PolicyNotFound]
      })
        .annotateMerge(needs("branch.read", "RECORD"))
        .annotate(OpenApi.Summary, "List the branches of a policy"),
      HttpApiEndpoint.post("open", "/policies/:policyId/branches", {
        params: { policyId: PolicyId },
        query: commandQuery,
        headers: policyHeaders,
        payload: OpenBranch,
        success: Branch.pipe(HttpApiSchema.status(201)),
        error: [
          ...commandErrors,
          requestErrors.InvalidEffectiveDate,
          requestErrors.InvalidTransition
        ]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("branch.write", "RECORD"))
        .annotateMerge(opens)
        .annotate(RequestExample, {
          branchType: "MTA",
          name: "Longer way to work",
          effectiveAt: "2026-05-01T00:00:00+02:00"
        })
        .annotate(OpenApi.Summary, "Open a branch of a policy")
        .annotate(
          OpenApi.Description,
          "An endorsement takes effect at `effectiveAt`, which `whenAt` says as well, else now. Of a policy that is not signed another offer opens, with what the sale on `branchId` holds."
        ),
      HttpApiEndpoint.get("get", "/branches/:branchId", {
        params: onBranch.params,
        query: recordQuery,
        success: Branch,
        error: viewErrors
      })
        .annotateMerge(needs("branch.read", "RECORD"))
        .annotate(OpenApi.Summary, "Read a branch"),
      HttpApiEndpoint.get("diff", "/branches/:branchId/diff", {
        params: onBranch.params,
        query: recordQuery,
        success: BranchDiff,
        error: [...viewErrors, requestErrors.InvalidTransition]
      })
        .annotateMerge(needs("branch.read", "RECORD"))
        .annotate(OpenApi.Summary, "Show the changes of a merge"),
      HttpApiEndpoint.post("fork", "/branches/:branchId/fork", {
        ...onBranch,
        payload: ForkBranch,
        success: Branch.pipe(HttpApiSchema.status(201)),
        error: [...commandErrors, requestErrors.InvalidTransition]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("branch.write", "RECORD"))
        .annotate(RequestExample, { name: "The same, with another tier" })
        .annotate(OpenApi.Summary, "Fork a branch"),
      HttpApiEndpoint.post("invalidate", "/branches/:branchId/invalidate", {
        ...onBranch,
        payload: InvalidateBranch,
        success: Branch,
        error: [...commandErrors, requestErrors.InvalidTransition]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("branch.write", "RECORD"))
        .annotate(RequestExample, { reason: "CUSTOMER_REQUEST" })
        .annotate(OpenApi.Summary, "Invalidate a branch"),
      HttpApiEndpoint.post("rebase", "/branches/:branchId/rebase", {
        ...onBranch,
        payload: RebaseBranch,
        success: Branch,
        error: [...commandErrors, policyErrors.BranchConflict, requestErrors.InvalidTransition]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("branch.write", "RECORD"))
        .annotate(RequestExample, {
          resolutions: [
            { path: "/customFields/annualMileage", from: "2026-05-01T00:00:00.000Z", take: "ours" }
          ]
        })
        .annotate(OpenApi.Summary, "Rebase a branch"),
      HttpApiEndpoint.post("accept", "/branches/:branchId/accept", {
        ...onBranch,
        payload: NoMembers,
        success: Policy,
        error: [
          ...commandErrors,
          ...saleErrors,
          policyErrors.ComplianceGateNotMet,
          productErrors.DerogationRequired,
          requestErrors.InvalidTransition,
          productErrors.QuoteOutdated
        ]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("policy.write", "RECORD"))
        .annotate(OpenApi.Summary, "Accept a renewal")
        .annotate(
          OpenApi.Description,
          "It is merged by itself when its time comes. To refuse it, invalidate the branch with the reason `RENEWAL_REFUSED`."
        ),
      HttpApiEndpoint.post("merge", "/branches/:branchId/merge", {
        ...onBranch,
        payload: NoMembers,
        success: Policy,
        error: [
          ...commandErrors,
          ...saleErrors,
          policyErrors.BranchConflict,
          policyErrors.BranchRequired,
          policyErrors.ComplianceGateNotMet,
          productErrors.DerogationRequired,
          policyErrors.DuplicateExternalId,
          requestErrors.InvalidTransition,
          productErrors.QuoteOutdated
        ]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("branch.write", "RECORD"))
        .annotate(OpenApi.Summary, "Merge an endorsement that needs no signature")
    )
    .annotateMerge(access({ scope: "platform/branches", callers: people }))
    .annotateMerge(reference({ terms: branchTerms, parameters: branchParameters }))
    .annotateMerge(
      OpenApi.annotations({
        title: "Branches",
        description:
          "Versions of a policy apart from the one in force: endorsements, offers, repricings."
      })
    )
) {}
