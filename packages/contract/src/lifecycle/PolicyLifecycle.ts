import { PolicyReason, Reinstate, StopPolicy } from "@quittance/domain/lifecycle/LifecycleRequests"
import { InvoicePreview } from "@quittance/domain/branches/BranchDiff"
import { Change } from "@quittance/domain/policies/Change"
import { Page } from "@quittance/domain/values/Page"
import { Policy } from "@quittance/domain/policies/Policy"
import { PolicyTimeline } from "@quittance/domain/policies/PolicyTimeline"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access, idempotent, needs, people, RequestExample } from "../access/Access.ts"
import { dunningErrors } from "../dunning/DunningErrors.ts"
import { policyErrors } from "../policies/PolicyErrors.ts"
import { productErrors } from "../products/ProductErrors.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import {
  branchQuery,
  commandQuery,
  NoMembers,
  pageQuery,
  policyHeaders
} from "../requests/Parameters.ts"
import { commandErrors, viewErrors } from "../policies/CommandErrors.ts"
import { bearer } from "../requests/Bearer.ts"
import { ChangeId, PolicyId } from "@quittance/domain/values/Ids"
import { reference } from "../requests/AreaReference.ts"
import { lifecycleErrors } from "./LifecycleErrors.ts"
import { lifecycleParameters, lifecycleTerms } from "./LifecycleTerms.ts"

/** A policy after a step; a dry run says besides what the step would do to its invoices. */
export const PolicyStep = Schema.Struct({
  ...Policy.fields,
  preview: Schema.optionalKey(InvoicePreview)
}).annotate({ identifier: "PolicyStep" })

export const ChangePage = Page(Change).annotate({ identifier: "ChangePage" })

const onPolicy = { params: { policyId: PolicyId }, query: commandQuery, headers: policyHeaders }
const stepErrors = [
  ...commandErrors,
  requestErrors.InvalidEffectiveDate,
  requestErrors.InvalidTransition
] as const

export class PolicyLifecycle extends bearer(
  HttpApiGroup.make("policyLifecycle")
    .add(
      HttpApiEndpoint.post("suspend", "/policies/:policyId/suspend", {
        ...onPolicy,
        payload: PolicyReason,
        success: PolicyStep,
        error: stepErrors
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("policy.suspend", "RECORD"))
        .annotate(RequestExample, { reason: "GARAGED" })
        .annotate(OpenApi.Summary, "Suspend a policy"),
      HttpApiEndpoint.post("reactivate", "/policies/:policyId/reactivate", {
        ...onPolicy,
        payload: NoMembers,
        success: PolicyStep,
        error: stepErrors
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("policy.suspend", "RECORD"))
        .annotate(OpenApi.Summary, "Reactivate a policy"),
      HttpApiEndpoint.post("stop", "/policies/:policyId/stop", {
        ...onPolicy,
        payload: StopPolicy,
        success: PolicyStep,
        error: [
          ...stepErrors,
          policyErrors.InvalidStopReason,
          lifecycleErrors.StopNotPossible,
          dunningErrors.TerminationNotPossible
        ]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("policy.stop", "RECORD"))
        .annotate(RequestExample, {
          reason: "SALE",
          details: [{ key: "buyer", value: "A garage" }]
        })
        .annotate(OpenApi.Summary, "Stop a policy")
        .annotate(
          OpenApi.Description,
          "Now, or as of `whenAt`, which may be past or to come within the product's limits. The instant is the first without cover. For a reason with a rule of the law not before its notice is over: without `whenAt` the contract ends then. For unpaid premiums not before the product lets the contract end, while they are unpaid. A dry run answers in `preview` what it would give back."
        ),
      HttpApiEndpoint.delete("withdrawStop", "/policies/:policyId/stop", {
        ...onPolicy,
        success: PolicyStep,
        error: stepErrors
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("policy.stop", "RECORD"))
        .annotate(OpenApi.Summary, "Withdraw a stop that has not taken effect")
        .annotate(
          OpenApi.Description,
          "The caller who announced the stop can withdraw it. On a started policy anonymous sessions cannot. Withdrawing another person's stop needs `policy.suspend`."
        ),
      HttpApiEndpoint.post("reinstate", "/policies/:policyId/reinstate", {
        ...onPolicy,
        payload: Reinstate,
        success: PolicyStep,
        error: stepErrors
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("policy.suspend", "RECORD"))
        .annotate(RequestExample, { gap: "COVERED" })
        .annotate(OpenApi.Summary, "Reinstate a stopped policy"),
      HttpApiEndpoint.get("changes", "/policies/:policyId/changes", {
        params: onPolicy.params,
        query: { ...pageQuery, ...branchQuery },
        success: ChangePage,
        error: viewErrors
      })
        .annotateMerge(needs("policy.read", "RECORD"))
        .annotate(OpenApi.Summary, "List the changes of a policy, the latest first")
        .annotate(
          OpenApi.Description,
          "On all branches; with `branchId` what that one shows: its own changes, and the base branch's up to where it has forked."
        ),
      HttpApiEndpoint.post("revert", "/policies/:policyId/changes/:changeId/revert", {
        ...onPolicy,
        params: { policyId: PolicyId, changeId: ChangeId },
        payload: NoMembers,
        success: PolicyStep,
        error: [
          ...stepErrors,
          policyErrors.BranchRequired,
          productErrors.InvalidCustomField,
          policyErrors.ChangeHasDependents,
          policyErrors.ChangeNotFound,
          policyErrors.ChangeNotRevertible,
          policyErrors.DuplicateExternalId
        ]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("policy.revert", "RECORD"))
        .annotate(OpenApi.Summary, "Take a recorded change back")
        .annotate(
          OpenApi.Description,
          "The change no longer counts, as if it had never been recorded. A change of the price is reverted on a branch, named by `branchId`."
        ),
      HttpApiEndpoint.get("timeline", "/policies/:policyId/timeline", {
        params: onPolicy.params,
        query: branchQuery,
        success: PolicyTimeline,
        error: viewErrors
      })
        .annotateMerge(needs("policy.read", "RECORD"))
        .annotate(OpenApi.Summary, "Show the timeline of a policy")
    )
    .annotateMerge(access({ scope: "platform/policies", callers: people }))
    .annotateMerge(
      reference({ errors: lifecycleErrors, terms: lifecycleTerms, parameters: lifecycleParameters })
    )
    .annotateMerge(
      OpenApi.annotations({
        title: "Contracts",
        description: "Steps of a signed policy: suspend, stop, reinstate, correct."
      })
    )
) {}
