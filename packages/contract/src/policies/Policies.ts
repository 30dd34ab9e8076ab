import {
  CreatePolicy,
  ListPolicies,
  PatchPolicy,
  QuotePolicy,
  SignPolicy
} from "@quittance/domain/policies/PolicyRequests"
import { Policy } from "@quittance/domain/policies/Policy"
import { policyOrderKeys, PolicyPage } from "@quittance/domain/policies/PolicyList"
import { QuoteResult } from "@quittance/domain/products/Quote"
import { AvailablePricing, CalculatedQuote } from "@quittance/domain/products/QuoteListing"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  access,
  idempotent,
  needs,
  opens,
  people,
  prices,
  unkeyed,
  RequestExample
} from "../access/Access.ts"
import { policyErrors } from "./PolicyErrors.ts"
import { productErrors } from "../products/ProductErrors.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import { orderedQuery } from "../requests/OrderedQuery.ts"
import {
  commandQuery,
  NoMembers,
  pageQuery,
  policyHeaders,
  readQuery,
  viewQuery,
  writeHeaders
} from "../requests/Parameters.ts"
import {
  commandErrors,
  dataErrors,
  priceErrors,
  readErrors,
  saleErrors,
  viewErrors
} from "./CommandErrors.ts"
import { bearer } from "../requests/Bearer.ts"
import { PolicyId } from "@quittance/domain/values/Ids"
import { exampleChoice, exampleRisk } from "../requests/Examples.ts"
import { reference } from "../requests/AreaReference.ts"
import { policyParameters, policyTerms } from "./PolicyTerms.ts"

const onPolicy = { params: { policyId: PolicyId }, query: commandQuery, headers: policyHeaders }

export class Policies extends bearer(
  HttpApiGroup.make("policies")
    .add(
      HttpApiEndpoint.post("create", "/policies", {
        query: { dryRun: commandQuery.dryRun, idempotencyKey: commandQuery.idempotencyKey },
        headers: writeHeaders,
        payload: CreatePolicy,
        success: Policy.pipe(HttpApiSchema.status(201)),
        error: [
          ...saleErrors,
          policyErrors.DuplicateExternalId,
          requestErrors.IdempotencyKeyInUse,
          requestErrors.IdempotencyKeyReused,
          requestErrors.InvalidReference,
          productErrors.UnknownProduct
        ]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("policy.create", "TENANT"))
        .annotateMerge(opens)
        .annotate(RequestExample, {
          productId: "motor-fr",
          startedAt: "2026-03-01T00:00:00+01:00",
          invoicingConfig: { frequency: "MONTHLY", timing: "IN_ADVANCE", firstPayment: "NONE" },
          customFields: exampleRisk
        })
        .annotate(OpenApi.Summary, "Open a policy"),
      HttpApiEndpoint.get("list", "/policies", {
        query: orderedQuery({ ...pageQuery, ...ListPolicies.fields }, policyOrderKeys),
        success: PolicyPage
      })
        .annotateMerge(needs("policy.read", "ANYWHERE"))
        .annotate(OpenApi.Summary, "List the policies that one may see, the newest first")
        .annotate(
          OpenApi.Description,
          "`queryString`: every word has to begin a word of the policy's identifiers or name, accents and case apart."
        ),
      HttpApiEndpoint.get("get", "/policies/:policyId", {
        params: onPolicy.params,
        query: readQuery,
        success: Policy,
        error: viewErrors
      })
        .annotateMerge(needs("policy.read", "RECORD"))
        .annotate(OpenApi.Summary, "Read a policy")
        .annotate(
          OpenApi.Description,
          "As of now, or as of `whenAt`, on a branch, and as it was known at `knownAt`."
        ),
      HttpApiEndpoint.patch("update", "/policies/:policyId", {
        ...onPolicy,
        payload: PatchPolicy,
        success: Policy,
        error: [
          ...commandErrors,
          ...dataErrors,
          ...saleErrors,
          policyErrors.DuplicateExternalId,
          requestErrors.InvalidReference
        ]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("policy.write", "RECORD"))
        .annotate(RequestExample, {
          name: "The family's car",
          customFields: [{ key: "claims", value: null }]
        })
        .annotate(OpenApi.Summary, "Change a policy"),
      HttpApiEndpoint.post("calculateQuote", "/policies/:policyId/calculate-quote", {
        params: onPolicy.params,
        query: viewQuery,
        payload: QuotePolicy,
        success: CalculatedQuote,
        error: [
          ...readErrors,
          ...saleErrors,
          policyErrors.BranchClosed,
          ...priceErrors,
          requestErrors.InvalidTransition
        ]
      })
        .annotateMerge(unkeyed)
        .annotateMerge(needs("quote.write", "RECORD"))
        .annotateMerge(prices)
        .annotate(RequestExample, exampleChoice)
        .annotate(OpenApi.Summary, "Price a policy without recording a quote"),
      HttpApiEndpoint.post("quote", "/policies/:policyId/quote", {
        ...onPolicy,
        payload: QuotePolicy,
        success: QuoteResult.pipe(HttpApiSchema.status(201)),
        error: [
          ...commandErrors,
          ...saleErrors,
          ...priceErrors,
          policyErrors.BranchRequired,
          requestErrors.InvalidTransition
        ]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("quote.write", "RECORD"))
        .annotateMerge(prices)
        .annotate(RequestExample, exampleChoice)
        .annotate(OpenApi.Summary, "Quote a policy")
        .annotate(
          OpenApi.Description,
          "What is left out stays: the tier, and the choices of its perils, also where the same tier is named again. Another tier begins with its own; `perils` replaces all choices. A repricing is quoted with what is chosen in force: to choose otherwise, open an `MTA`."
        ),
      HttpApiEndpoint.get("availablePricing", "/policies/:policyId/available-pricing", {
        params: onPolicy.params,
        query: readQuery,
        success: AvailablePricing,
        error: [...readErrors, ...saleErrors, ...priceErrors]
      })
        .annotateMerge(prices)
        .annotateMerge(needs("quote.read", "RECORD"))
        .annotate(OpenApi.Summary, "Price all tiers side by side"),
      HttpApiEndpoint.post("confirm", "/policies/:policyId/confirm", {
        ...onPolicy,
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
        .annotate(OpenApi.Summary, "Confirm a quoted policy or branch"),
      HttpApiEndpoint.post("reopen", "/policies/:policyId/reopen", {
        ...onPolicy,
        payload: NoMembers,
        success: Policy,
        error: [
          ...commandErrors,
          requestErrors.InvalidEffectiveDate,
          requestErrors.InvalidTransition
        ]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("policy.write", "RECORD"))
        .annotate(OpenApi.Summary, "Reopen a confirmed policy"),
      HttpApiEndpoint.post("sign", "/policies/:policyId/sign", {
        ...onPolicy,
        payload: SignPolicy,
        success: Policy,
        error: [
          ...commandErrors,
          ...saleErrors,
          policyErrors.BranchConflict,
          policyErrors.BranchRequired,
          policyErrors.ComplianceGateNotMet,
          productErrors.DerogationRequired,
          policyErrors.DuplicateExternalId,
          requestErrors.InvalidReference,
          requestErrors.InvalidTransition,
          productErrors.QuoteOutdated,
          policyErrors.SignatureRequired
        ]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("policy.write", "RECORD"))
        .annotate(RequestExample, {
          signer: { firstName: "Camille", lastName: "Martin", email: "camille.martin@example.org" },
          consent: { textId: "SUBSCRIPTION_TERMS", accepted: true }
        })
        .annotate(OpenApi.Summary, "Sign a policy, or an endorsement of one")
    )
    .annotateMerge(access({ scope: "platform/policies", callers: people }))
    .annotateMerge(
      reference({ errors: policyErrors, terms: policyTerms, parameters: policyParameters })
    )
    .annotateMerge(
      OpenApi.annotations({
        title: "Policies",
        description: "The sale of a policy, from its opening to its signature, and its state."
      })
    )
) {}
