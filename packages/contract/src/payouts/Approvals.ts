import { Approval } from "@quittance/domain/payouts/Approval"
import { ApprovalId } from "@quittance/domain/payouts/Payout"
import { Approve, ListApprovals, Reject } from "@quittance/domain/payouts/PayoutRequests"
import { Page } from "@quittance/domain/values/Page"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access, idempotent, needs, RequestExample } from "../access/Access.ts"
import { accessErrors } from "../access/AccessErrors.ts"
import { bearer } from "../requests/Bearer.ts"
import { pageQuery, triedQuery, writeHeaders } from "../requests/Parameters.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import { payoutErrors } from "./PayoutErrors.ts"

export const ApprovalPage = Page(Approval).annotate({ identifier: "ApprovalPage" })

const onApproval = { params: { approvalId: ApprovalId } }
const written = { query: triedQuery, headers: writeHeaders }
const decisionErrors = [
  payoutErrors.ApprovalNotFound,
  payoutErrors.SamePerson,
  requestErrors.IdempotencyKeyInUse,
  requestErrors.IdempotencyKeyReused,
  requestErrors.InvalidTransition
] as const

export class Approvals extends bearer(
  HttpApiGroup.make("approvals")
    .add(
      HttpApiEndpoint.get("list", "/approvals", {
        query: { ...ListApprovals.fields, ...pageQuery },
        success: ApprovalPage
      })
        .annotateMerge(needs("payout.approve", "ANYWHERE"))
        .annotate(OpenApi.Summary, "List the approvals that the caller may decide on"),
      HttpApiEndpoint.post("approve", "/approvals/:approvalId/approve", {
        ...onApproval,
        ...written,
        payload: Approve,
        success: Approval,
        error: [accessErrors.AuthorityExceeded, requestErrors.InvalidReference, ...decisionErrors]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("payout.approve", "RECORD"))
        .annotate(RequestExample, { reason: "Another Camille Martin, born in 1984" })
        .annotate(OpenApi.Summary, "Approve what another person has asked for")
        .annotate(
          OpenApi.Description,
          "The authority of the caller's roles has to reach the amount, and who has asked can't decide."
        ),
      HttpApiEndpoint.post("reject", "/approvals/:approvalId/reject", {
        ...onApproval,
        ...written,
        payload: Reject,
        success: Approval,
        error: decisionErrors
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("payout.approve", "RECORD"))
        .annotate(RequestExample, { reason: "The account is not the customer's" })
        .annotate(OpenApi.Summary, "Reject what another person has asked for")
    )
    .annotateMerge(access({ scope: "platform/payments", callers: ["User"] }))
    .annotateMerge(
      OpenApi.annotations({
        title: "Approvals",
        description: "What one person asks for and another has to agree to."
      })
    )
) {}
