import { Branch } from "@quittance/domain/Branch"
import { Page } from "@quittance/domain/Page"
import { PolicyId } from "@quittance/domain/Policy"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access, needs, people } from "./Access.ts"
import { ApiError } from "./ApiError.ts"
import { pageQuery } from "./Parameters.ts"

export const BranchPage = Page(Branch).annotate({ identifier: "BranchPage" })

export class Branches extends HttpApiGroup.make("branches")
  .add(
    HttpApiEndpoint.get("listByPolicy", "/policies/:policyId/branches", {
      params: { policyId: PolicyId },
      query: pageQuery,
      success: BranchPage,
      error: ApiError.PolicyNotFound
    })
      .annotateMerge(needs("branch.read", "RECORD"))
      .annotate(OpenApi.Summary, "List the branches of a policy")
  )
  .annotateMerge(access({ scope: "platform/branches", callers: people }))
  .annotateMerge(
    OpenApi.annotations({
      title: "Branches",
      description: "Versions of a policy beside what is in force."
    })
  ) {}
