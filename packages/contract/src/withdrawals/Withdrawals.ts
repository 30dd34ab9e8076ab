import { Withdrawal, WithdrawalId, WithdrawalRight } from "@quittance/domain/withdrawals/Withdrawal"
import { RequestWithdrawal } from "@quittance/domain/withdrawals/WithdrawalRequests"
import { PolicyId } from "@quittance/domain/values/Ids"
import { Page } from "@quittance/domain/values/Page"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, idempotent, needs, people, RequestExample } from "../access/Access.ts"
import { commandErrors } from "../policies/CommandErrors.ts"
import { policyErrors } from "../policies/PolicyErrors.ts"
import { reference } from "../requests/AreaReference.ts"
import { bearer } from "../requests/Bearer.ts"
import { NoMembers, pageQuery, triedQuery, writeHeaders } from "../requests/Parameters.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import { withdrawalErrors } from "./WithdrawalErrors.ts"
import { withdrawalParameters, withdrawalTerms } from "./WithdrawalTerms.ts"

export const WithdrawalPage = Page(Withdrawal).annotate({ identifier: "WithdrawalPage" })

const onPolicy = { params: { policyId: PolicyId } }
const refusals = [
  ...commandErrors,
  requestErrors.InvalidTransition,
  withdrawalErrors.WithdrawalOver
] as const

export class Withdrawals extends bearer(
  HttpApiGroup.make("withdrawals")
    .add(
      HttpApiEndpoint.get("right", "/policies/:policyId/withdrawal-right", {
        ...onPolicy,
        success: WithdrawalRight,
        error: policyErrors.PolicyNotFound
      })
        .annotateMerge(needs("compliance.read", "RECORD"))
        .annotate(OpenApi.Summary, "See until when a policy can be withdrawn from"),
      HttpApiEndpoint.get("list", "/policies/:policyId/withdrawals", {
        ...onPolicy,
        query: pageQuery,
        success: WithdrawalPage,
        error: policyErrors.PolicyNotFound
      })
        .annotateMerge(needs("compliance.read", "RECORD"))
        .annotate(OpenApi.Summary, "List the withdrawals of a policy, the latest first"),
      HttpApiEndpoint.post("request", "/policies/:policyId/withdrawals", {
        ...onPolicy,
        query: triedQuery,
        headers: writeHeaders,
        payload: RequestWithdrawal,
        success: Withdrawal.pipe(HttpApiSchema.status(201)),
        error: [...refusals, requestErrors.InvalidReference]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("policy.stop", "RECORD"))
        .annotate(RequestExample, { name: "Camille Martin", email: "camille@example.org" })
        .annotate(OpenApi.Summary, "Ask to withdraw from a policy")
        .annotate(
          OpenApi.Description,
          "The answer shows the end and the refund. Nothing happens until it is confirmed. It is the function of art. 11a of directive 2011/83/EU; in France the right is that of art. L112-2-1 of the code des assurances."
        ),
      HttpApiEndpoint.post("confirm", "/withdrawals/:withdrawalId/confirm", {
        params: { withdrawalId: WithdrawalId },
        query: triedQuery,
        headers: writeHeaders,
        payload: NoMembers,
        success: Withdrawal,
        error: [...refusals, withdrawalErrors.WithdrawalNotFound]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("policy.stop", "RECORD"))
        .annotate(OpenApi.Summary, "Confirm a withdrawal, which stops the policy")
        .annotate(
          OpenApi.Description,
          "The policy is stopped now, for the reason that its product names. A letter with the day, the time, the end and the refund goes to the given address at once."
        )
    )
    .annotateMerge(access({ scope: "platform/policies", callers: people }))
    .annotateMerge(
      reference({
        errors: withdrawalErrors,
        terms: withdrawalTerms,
        parameters: withdrawalParameters
      })
    )
    .annotateMerge(
      OpenApi.annotations({
        title: "Withdrawals",
        description: "Customers who withdraw from a contract while the law lets them."
      })
    )
) {}
