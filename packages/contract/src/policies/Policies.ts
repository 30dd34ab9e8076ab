import { QuoteComponent } from "@quittance/domain/values/Amount"
import { CustomField, CustomFieldPatch } from "@quittance/domain/values/CustomField"
import { Duration } from "@quittance/domain/values/Duration"
import { InstantFromString } from "@quittance/domain/values/Instant"
import { InvoicingConfig } from "@quittance/domain/products/InvoicingConfig"
import { BillingAssignment, Policy, PolicyStatus } from "@quittance/domain/policies/Policy"
import { policyOrderKeys, PolicyPage } from "@quittance/domain/policies/PolicyList"
import { PerilChoice, QuoteResult } from "@quittance/domain/products/Quote"
import { AvailablePricing, CalculatedQuote } from "@quittance/domain/products/QuoteListing"
import { Schema } from "effect"
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
  customFieldsOf,
  NoMembers,
  pageQuery,
  policyHeaders,
  QueryString,
  readQuery,
  Text,
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
import { Email } from "@quittance/domain/values/Email"
import { BrokerageFirmId, PolicyId } from "@quittance/domain/values/Ids"
import { PolicyType } from "@quittance/domain/products/Product"
import { BrokerageFee } from "@quittance/domain/products/ProductCharges"
import { exampleChoice, exampleRisk } from "../requests/Examples.ts"

const BrokerageFees = Schema.Array(BrokerageFee).check(Schema.isMaxLength(100))

/** What opens a policy; what is absent comes from the product. */
export const CreatePolicy = Schema.Struct({
  productId: Schema.String,
  type: Schema.optionalKey(PolicyType),
  name: Schema.optionalKey(Text),
  startedAt: Schema.optionalKey(InstantFromString),
  periodDuration: Schema.optionalKey(Duration),
  invoicingConfig: Schema.optionalKey(InvoicingConfig),
  customFields: Schema.optionalKey(customFieldsOf(CustomField)),
  brokerageFirm: Schema.optionalKey(BrokerageFirmId),
  brokerageFees: Schema.optionalKey(BrokerageFees),
  billingAssignment: Schema.optionalKey(BillingAssignment),
  externalId: Schema.optionalKey(Text),
  parent: Schema.optionalKey(PolicyId)
}).annotate({ identifier: "CreatePolicy" })

/** A merge patch (RFC 7396), but for custom fields, which are merged by key. */
export const PatchPolicy = Schema.Struct({
  name: Schema.optionalKey(Schema.NullOr(Text)),
  startedAt: Schema.optionalKey(InstantFromString),
  periodDuration: Schema.optionalKey(Duration),
  invoicingConfig: Schema.optionalKey(InvoicingConfig),
  customFields: Schema.optionalKey(customFieldsOf(CustomFieldPatch)),
  brokerageFees: Schema.optionalKey(Schema.NullOr(BrokerageFees)),
  billingAssignment: Schema.optionalKey(Schema.NullOr(BillingAssignment)),
  externalId: Schema.optionalKey(Schema.NullOr(Text))
}).annotate({ identifier: "PatchPolicy" })

/** What is to be priced; without a tier the product's default one. */
export const QuotePolicy = Schema.Struct({
  tierId: Schema.optionalKey(Schema.String),
  perils: Schema.optionalKey(Schema.Array(PerilChoice).check(Schema.isMaxLength(200))),
  additionalQuoteComponents: Schema.optionalKey(QuoteComponent),
  brokerageFees: Schema.optionalKey(BrokerageFees)
}).annotate({ identifier: "QuotePolicy" })

/** Who signs, and the text that they have read. */
export const SignPolicy = Schema.Struct({
  signer: Schema.Struct({ firstName: Text, lastName: Text, email: Email }),
  consent: Schema.Struct({ textId: Schema.String, accepted: Schema.Literal(true) })
}).annotate({ identifier: "SignPolicy" })

/** The query of `GET /policies`. Instants before are exclusive, after inclusive. */
export const ListPolicies = orderedQuery(
  {
    ...pageQuery,
    statuses: Schema.optionalKey(Schema.Array(PolicyStatus).check(Schema.isMaxLength(100))),
    productIds: Schema.optionalKey(Schema.Array(Schema.String).check(Schema.isMaxLength(100))),
    brokerageFirmId: Schema.optionalKey(BrokerageFirmId),
    externalId: Schema.optionalKey(QueryString),
    queryString: Schema.optionalKey(QueryString),
    createdAfter: Schema.optionalKey(InstantFromString),
    createdBefore: Schema.optionalKey(InstantFromString),
    startedAfter: Schema.optionalKey(InstantFromString),
    startedBefore: Schema.optionalKey(InstantFromString)
  },
  policyOrderKeys
)

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
      HttpApiEndpoint.get("list", "/policies", { query: ListPolicies, success: PolicyPage })
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
          requestErrors.InvalidTransition,
          productErrors.QuoteOutdated
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
      OpenApi.annotations({
        title: "Policies",
        description: "The sale of a policy, from its opening to its signature, and its state."
      })
    )
) {}
